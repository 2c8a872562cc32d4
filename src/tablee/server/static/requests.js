// Requests about this table, each with its answer or null: then the page says why there is none.
/** @import { Reply } from "./types.d.ts" */
import { setReachable, showNotSent, showServerError } from "./connection_status.js";
import { REQUEST_TIMEOUT_MS } from "./server_connection.js";
import { tableId, words } from "./table_page.js";

const UNDECIDED = [502, 503, 504]; // statuses after which the same request may be sent again

export const address = `/api/tables/${tableId}`;

/**
 * What the server decided, or null where it could not.
 *
 * @param {number} status
 * @param {any} body
 * @returns {Reply | null}
 */
export function decided(status, body) {
  if (body && !UNDECIDED.includes(status)) {
    setReachable(true);
    return { ok: status < 400, status, body };
  }
  showServerError(body?.error ?? words.trouble.replace("{status}", String(status)));
  return null;
}

/**
 * @param {string} what
 * @param {Record<string, string>} headers
 * @param {object | undefined} body
 * @param {() => boolean} isMissed whether an answer that never came is missed
 */
export async function request(what, headers, body, isMissed = () => true) {
  try {
    const answer = await fetch(`${address}/${what}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    return decided(answer.status, await answer.json().catch(() => null));
  } catch {
    if (isMissed()) setReachable(false);
  }
  return null;
}

/**
 * Whatever could not be sent is said.
 *
 * @param {string} what
 * @param {string | undefined} bearer
 * @param {object} [body]
 */
export async function post(what, bearer, body) {
  const answer = await request(what, authorization(bearer), body);
  if (!answer) showNotSent();
  return answer;
}

/**
 * @param {string | undefined} bearer
 * @returns {Record<string, string>}
 */
export const authorization = (bearer) => (bearer ? { authorization: `Bearer ${bearer}` } : {});
