// Short words to the player, and a link for the clipboard.
let fading = 0;

export function toast(sentence, { good = false, stays = false } = {}) {
  const place = document.getElementById("toast");
  place.textContent = sentence;
  place.className = good ? "shown good" : "shown";
  clearTimeout(fading);
  if (!stays) fading = setTimeout(() => { place.className = ""; }, 5000);
}

// Browsers give the clipboard only to secure pages; on the home network the older way works.
export async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text).then(() => true, () => false);
  const field = Object.assign(document.createElement("textarea"), { value: text });
  (document.querySelector("dialog[open], [popover]:popover-open") ?? document.body).append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}
