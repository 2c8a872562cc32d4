// Tells those who listen what the others did and what nature brought: once, politely.
let lastNumber = null;

export function announce({ heard, looks_back: looksBack }, more = []) {
  if (looksBack) return;
  const fresh = lastNumber === null ? [] : heard.filter(([number]) => number > lastNumber);
  lastNumber = heard.at(-1)?.[0] ?? -1; // less than before when something was taken back
  const sentences = [...fresh.map(([, sentence]) => sentence), ...more];
  if (sentences.length) document.getElementById("herald").textContent = sentences.join(". ");
}
