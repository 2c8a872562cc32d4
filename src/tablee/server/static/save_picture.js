// Keeps a picture of the final board: the server draws it as SVG, this browser makes a PNG of it that every device can
// show.
const SCALE = 2;

export async function savePicture(link) {
  const drawing = await (await fetch(link.href)).text();
  const picture = new Image();
  picture.src = URL.createObjectURL(new Blob([drawing], { type: "image/svg+xml" }));
  await picture.decode();
  const canvas = Object.assign(document.createElement("canvas"), {
    width: SCALE * picture.width,
    height: SCALE * picture.height,
  });
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  const bytes = await new Promise((resolve) => {
    canvas.toBlob(resolve, "image/png");
  });
  const saved = Object.assign(document.createElement("a"), {
    href: URL.createObjectURL(bytes),
    download: link.download.replace(/svg$/, "png"),
  });
  saved.click();
}
