// Tells those who listen what the others did and what nature brought: once, politely.
let told = null;

export function announce({ heard, over }) {
  const last = heard.at(-1)?.[0] ?? -1;
  const fresh = told === null ? [] : heard.filter(([position]) => position > told);
  if (told === null || last > told || over) told = Math.max(last, told ?? -1);
  if (fresh.length) document.getElementById("herald").textContent = fresh.map(([, sentence]) => sentence).join(". ");
}
