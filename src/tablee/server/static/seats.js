// The seats that this device holds: their keys, for this tab first (two tabs may sit in two chairs), then for the device.
const DEVICE = "tablee-tables";
const MOST = 60;
const WHY = "tablee-why";

const read = () => JSON.parse(localStorage.getItem(DEVICE) ?? "{}");
const tab = (table) => `tablee-keys-${table}`;
const newestFirst = ([, one], [, other]) => other.at - one.at;

function write(tables) {
  localStorage.setItem(DEVICE, JSON.stringify(Object.fromEntries(Object.entries(tables).sort(newestFirst).slice(0, MOST))));
}

/** The keys of this screen's seats, joined by dots. */
export const keysAt = (table) => sessionStorage.getItem(tab(table)) ?? read()[table]?.keys ?? "";

/** This screen holds these; the device also keeps those that another tab of it holds. */
export function hold(table, keys) {
  const tables = read();
  const all = new Set([...keys.split("."), ...(tables[table]?.keys ?? "").split(".")].filter(Boolean));
  sessionStorage.setItem(tab(table), keys);
  write({ ...tables, [table]: { keys: [...all].join("."), at: Date.now() } });
}

/** Some of these keys open nothing any more: only those that do are kept. */
export function keepOnly(table, good) {
  const { [table]: known, ...others } = read();
  const still = (keys) => keys.split(".").filter((key) => good.includes(key)).join(".");
  if (sessionStorage.getItem(tab(table)) !== null) sessionStorage.setItem(tab(table), still(sessionStorage.getItem(tab(table))));
  write(known && still(known.keys) ? { ...others, [table]: { ...known, keys: still(known.keys) } } : others);
}

/** A seat was given away while this screen was not looking: it goes on with what it still holds, perhaps as a spectator, and says why. */
export async function heal(table, keys, why) {
  const open = async (key) => (await fetch(`/api/tables/${table}`, { headers: { authorization: `Bearer ${key}` } })).status !== 403;
  const all = keys.split(".");
  const good = [];
  for (const key of all) if (await open(key)) good.push(key);
  if (good.length === all.length) return;
  keepOnly(table, good);
  if (why) sessionStorage.setItem(WHY, why);
  location.reload();
}

/** Why this page was loaded again, said once. */
export function whyAgain() {
  const why = sessionStorage.getItem(WHY);
  sessionStorage.removeItem(WHY);
  return why;
}

/** The tables that this device shows on the start page. */
export const known = () => Object.entries(read()).filter(([, each]) => !each.hidden).sort(newestFirst).map(([table, { keys }]) => ({ table, keys }));

export function hide(table) {
  const tables = read();
  write({ ...tables, [table]: { ...tables[table], hidden: true } });
}

/** The page shows this seat now. */
export function seated() {
  delete document.documentElement.dataset.seat;
}

/** Shows this screen's seats as a link and a picture for another device. */
export async function showElsewhere(table, keys) {
  const answer = await fetch(`/t/${table}/device`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ table, keys }) });
  if (!answer.ok) return;
  const panel = document.getElementById("device");
  panel.innerHTML = await answer.text();
  panel.showPopover();
}
