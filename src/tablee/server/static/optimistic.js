// Optimistic marks: a tap shows its effect before the server answers, and the answer removes the marks, whether it
// confirms or refuses. They are visual only: nothing is announced, and no focus moves. The page knows no rule; it marks
// what was tapped, where the server offered it.
import { all } from "./dom.js";
import { emit } from "./events.js";
import { screen, tableState } from "./table_state.js";

/** @type {(() => void)[]} */
let marks = [];
let pressed = ""; // the id of the button that was pressed last

/**
 * Gives an element a class until the server has answered.
 *
 * @param {Element | null} element
 * @param {string} name
 */
export function mark(element, name) {
  if (!element || element.classList.contains(name)) return;
  element.classList.add(name);
  marks.push(() => element.classList.remove(name));
}

/**
 * Adds an element until the server has answered.
 *
 * @param {Element} parent
 * @param {Element} child
 */
export function add(parent, child) {
  child.setAttribute("aria-hidden", "true");
  parent.append(child);
  marks.push(() => child.remove());
}

/** Removes all marks, while a new view is patched into the page. */
export function hideMarks() {
  const gone = marks;
  marks = [];
  for (const undo of gone) undo();
}

/** Removes all marks and forgets the pressed button: the server has answered, or need not. */
export function clearMarks() {
  hideMarks();
  pressed = "";
}

/** @param {HTMLElement} button */
export function showPressed(button) {
  pressed = button.id;
  mark(button, "pressed");
}

/** Marks the pressed button and the moves that the server has not answered yet. */
export function showAsked() {
  hideMarks();
  mark(document.getElementById(pressed), "pressed");
  const now = tableState();
  if (screen.at !== now.version || screen.look !== null || now.covered || now.looks_back || !now.my_turn) return;
  if (screen.draft.join() === now.draft.join()) return;
  const asked = screen.draft.filter((move, number) => move !== now.draft[number]);
  emit("tablee:asked", screen.draft);
  for (const move of asked.map(CSS.escape))
    for (const each of all(`[data-move="${move}"], [data-moves$="|${move}"]`)) mark(each, "asked");
}
