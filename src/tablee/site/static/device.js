// The tables of this device, in an IndexedDB that all tabs share. A write is one transaction, and is on the disk when
// it is answered; of two tabs that write the same lines of a log, the second is told so.

const [NAME, VERSION] = ["tablee", 1];
const [TABLES, LINES] = ["tables", "lines"];
const [WRITTEN, TAKEN] = ["", "taken"]; // answers to a write

/** @typedef {{ document: string, review: string }} StoredTable */

/** @returns {Promise<IDBDatabase>} */
function openDatabase() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(TABLES);
      request.result.createObjectStore(LINES);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** @type {Promise<IDBDatabase> | null} */
let opened = null;
const database = () => {
  opened ??= openDatabase();
  return opened;
};

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
const result = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/**
 * Everything of a table: its document, its lines and its review as JSON; undefined where there is no such table.
 *
 * @param {string} table
 */
export async function read(table) {
  const transaction = (await database()).transaction([TABLES, LINES]);
  const range = IDBKeyRange.bound([table, 0], [table, Number.POSITIVE_INFINITY]);
  const [stored, lines] = await Promise.all([
    result(/** @type {IDBRequest<StoredTable | undefined>} */ (transaction.objectStore(TABLES).get(table))),
    result(transaction.objectStore(LINES).getAll(range)),
  ]);
  return stored && [stored.document, JSON.stringify(lines), stored.review];
}

/**
 * @param {string} table
 * @param {string} document
 * @param {number} position of the first of the new lines
 * @param {string} lines as JSON
 * @param {string | undefined} review
 * @returns {Promise<string>} "" once it is on the disk, "taken", or the name of what went wrong
 */
export async function write(table, document, position, lines, review) {
  const transaction = (await database()).transaction([TABLES, LINES], "readwrite", { durability: "strict" });
  try {
    const done = new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(WRITTEN);
      transaction.onabort = () => reject(transaction.error);
    });
    const [tables, log] = [transaction.objectStore(TABLES), transaction.objectStore(LINES)];
    for (const [number, line] of JSON.parse(lines).entries()) log.add(line, [table, position + number]);
    const before = review === undefined ? await result(tables.get(table)) : undefined;
    tables.put({ document, review: review ?? before?.review ?? "" }, table);
    await done;
    return WRITTEN;
  } catch (error) {
    // of what ended it, and with it the others
    const { name } = transaction.error ?? /** @type {DOMException} */ (error);
    return name === "ConstraintError" ? TAKEN : name;
  }
}

/** @type {Set<string>} */
const mine = new Set();

/**
 * Whether this tab plays the bots of a table; it does so until it is closed.
 *
 * @param {string} table
 * @returns {Promise<boolean>}
 */
export function acquire(table) {
  if (mine.has(table) || !navigator.locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    navigator.locks.request(`tablee-bots-${table}`, { ifAvailable: true }, (lock) => {
      if (lock) mine.add(table);
      resolve(Boolean(lock));
      return lock && new Promise(() => {}); // held until this tab is closed
    });
  });
}
