// Keeps a picture of the final board: the server draws it as SVG, this browser makes a PNG of it that every device can
// show.
import { make } from "./dom.js";

const SCALE = 2;

/** @param {HTMLAnchorElement} link */
export async function savePicture(link) {
  const drawing = await (await fetch(link.href)).text();
  const picture = new Image();
  picture.src = URL.createObjectURL(new Blob([drawing], { type: "image/svg+xml" }));
  await picture.decode();
  const canvas = make("canvas", { width: SCALE * picture.width, height: SCALE * picture.height });
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  /** @type {Blob} */
  const bytes = await new Promise((resolve, reject) => {
    canvas.toBlob((made) => (made ? resolve(made) : reject(new Error("no picture"))), "image/png");
  });
  const saved = make("a", { href: URL.createObjectURL(bytes), download: link.download.replace(/svg$/, "png") });
  saved.click();
}
