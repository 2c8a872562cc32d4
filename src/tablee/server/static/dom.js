// Elements of the page, by id or selector, with their types.

/**
 * The element with this id, which the page's template always has.
 *
 * @param {string} id
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no #${id}`);
  return found;
}

/**
 * The field with this id.
 *
 * @param {string} id
 */
export const field = (id) => /** @type {HTMLInputElement} */ (byId(id));

/**
 * The first element that matches, if there is one.
 *
 * @param {string} selector
 * @param {ParentNode} root
 * @returns {HTMLElement | null}
 */
export const one = (selector, root = document) => root.querySelector(selector);

/**
 * All elements that match.
 *
 * @param {string} selector
 * @param {ParentNode} root
 * @returns {HTMLElement[]}
 */
export const all = (selector, root = document) => [...root.querySelectorAll(selector)].map(asHtml);

/** @param {Element} element */
const asHtml = (element) => /** @type {HTMLElement} */ (element);

/**
 * The element around an event's target that matches, if there is one.
 *
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export const closest = ({ target }, selector) => (target instanceof Element ? target.closest(selector) : null);

/**
 * An attribute `data-NAME` that the template always writes.
 *
 * @param {HTMLElement | SVGElement} element
 * @param {string} name as in `dataset`
 */
export function data(element, name) {
  const found = element.dataset[name];
  if (found === undefined) throw new Error(`no data-${name} on #${element.id}`);
  return found;
}

/**
 * Makes an element.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Partial<HTMLElementTagNameMap[Tag]>} properties
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export const make = (tag, properties) => Object.assign(document.createElement(tag), properties);
