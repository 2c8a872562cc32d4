// The events of the page and the shapes that several scripts share. The messages of the server are in messages.d.ts.
import type { ClientState } from "./messages.d.ts";

export interface FinaleStep {
  place: string;
  seat: number;
  points: number;
}

/** A line of the log that was chosen. */
export interface LogEntry {
  place: string;
  kind: string;
}

export interface Preferences {
  name: string;
  colour: string;
  pace: "slow" | "normal" | "quick";
  sound: boolean;
  notify: boolean;
  motion: boolean;
  letters: boolean;
  chat: boolean;
}

/** The rule behind a refusal, or a hint's reason, which is no rule; with the words to offer it with. */
export interface Reason {
  sentence: string;
  link?: string;
  rule?: string | null;
  words: Record<string, string>;
}

/** What the buttons of a page do, by the name of their data-attribute, with its value. */
export type Actions = Record<string, (value: string, button: HTMLElement) => unknown>;

/** What the server said last, with the serial of the message that it answers. */
export type TableState = ClientState & { serial?: number };

/** The answer to a request that the server itself gave. */
// biome-ignore lint/suspicious/noExplicitAny: each request has its own body, which its caller knows
export type Reply = { ok: boolean; status: number; body: any };

/** Events on the document, by name, with their detail. */
export interface TableEvents {
  "tablee:now": TableState;
  "tablee:asked": string[];
  "tablee:drawn": null;
  "tablee:finale": FinaleStep | null;
  "tablee:told": LogEntry;
  "tablee:try": string | string[];
  "tablee:draft": string[];
  "tablee:point": HTMLElement;
  "tablee:preferred": keyof Preferences;
  "tablee:unseated": null;
  "mayflower:turn": 1 | -1;
}

type DocumentEvents = { [Name in keyof TableEvents]: CustomEvent<TableEvents[Name]> };

declare global {
  interface DocumentEventMap extends DocumentEvents {}
}
