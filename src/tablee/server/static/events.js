/** @import { TableEvents } from "./types.d.ts" */

/**
 * Tells the other scripts of the page; returns whether none of them prevented what follows.
 *
 * @template {keyof TableEvents} Name
 * @param {Name} name
 * @param {TableEvents[Name]} detail
 */
export const emit = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail, cancelable: true }));
