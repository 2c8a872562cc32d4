// Toasts, short messages to the player; and copying to the clipboard.
/** @import { Reason } from "./types.d.ts" */
import { byId, make, one } from "./dom.js";

let hideTimer = 0;
let shown = ""; // the sentence, until it is explained
const place = () => byId("toast");

/**
 * Shows a sentence. With `aside` it lies out of the way and disappears at the next tap.
 *
 * @param {string} sentence
 * @param {{ good?: boolean, stays?: boolean, aside?: boolean, why?: Reason | null }} how `why` is the rule behind a
 *   refusal, or a hint's reason
 */
export function toast(sentence, { good = false, stays = false, aside = false, why = null } = {}) {
  place().replaceChildren(
    make("span", { textContent: why?.rule ? sentence.replace(` (${why.rule})`, "") : sentence }),
    ...(why ? whyButton(why) : []),
  );
  place().className = ["shown", ...(good ? ["good"] : []), ...(aside ? ["aside"] : [])].join(" ");
  shown = sentence;
  clearTimeout(hideTimer);
  if (!stays) hideTimer = setTimeout(() => hideToast(), why ? 9000 : 5000);
}

/**
 * Hides the toast; with a sentence, only if it is the one shown.
 *
 * @param {string | null} sentence
 */
export function hideToast(sentence = shown) {
  if (shown !== sentence) return;
  place().className = "";
  clearTimeout(hideTimer);
}

/** @param {Reason} why */
function whyButton(why) {
  const button = make("button", { type: "button", id: "why", textContent: why.words.why });
  button.dataset.key = "w";
  button.addEventListener("click", () => explain(button, why));
  return [" ", button];
}

/**
 * Replaces the button by the rule's own sentence, which stays until it is closed.
 *
 * @param {HTMLElement} button
 * @param {Reason} why
 */
function explain(button, { sentence, link, rule, words }) {
  clearTimeout(hideTimer);
  shown = "";
  const where = rule
    ? make("a", { href: link, target: "_blank", textContent: words.rule.replace("{number}", rule) })
    : "";
  const close = make("button", { type: "button", textContent: "✕", ariaLabel: words.close });
  close.addEventListener("click", () => hideToast());
  const told = make("p", { className: "toast-reason", tabIndex: -1 });
  told.append(`${sentence} `, where, " ", close);
  button.replaceWith(told);
  told.focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  const shown = document.getElementById("toast");
  if (shown?.classList.contains("aside") && !event.composedPath().includes(shown)) hideToast();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && document.getElementById("toast")?.className) hideToast();
});

/**
 * Copies a text and says whether it could.
 *
 * @param {string} text
 * @param {Record<string, string>} words with the two sentences
 */
export async function copyWithToast(text, words) {
  const done = await copy(text);
  toast(done ? words.copied : words.uncopied, { good: done });
}

/**
 * Copies a text. Browsers give the clipboard only to secure pages; on the home network the older way works.
 *
 * @param {string} text
 */
async function copy(text) {
  if (navigator.clipboard)
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  const field = make("textarea", { value: text });
  (one("dialog[open], [popover]:popover-open") ?? document.body).append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}
