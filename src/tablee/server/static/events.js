/** @import { TableEvents } from "./types.d.ts" */

/**
 * Emits an event to the other scripts of the page; returns false if one of them prevents its default.
 *
 * @template {keyof TableEvents} Name
 * @param {Name} name
 * @param {TableEvents[Name]} detail
 */
export const emit = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail, cancelable: true }));
