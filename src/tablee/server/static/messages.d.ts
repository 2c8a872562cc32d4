// Written by `make types` from the server's own types (release/page_messages.py).

export interface Answer {
  version?: number;
  error?: string;
  rule?: string | null;
  sentence?: string;
  link?: string;
  kindly?: boolean;
}

export interface ClientState {
  me: number | null;
  mine: number[];
  legal: string[];
  draft: string[];
  refused: string;
  why: ViolatedRule | null;
  kindly: boolean;
  ready: boolean;
  over: boolean;
  my_turn: boolean;
  covered: boolean;
  version: number;
  looks_back: boolean;
  claims: number[];
  heard: [number, string][];
  scene: unknown;
  build: string;
  picture?: string;
}

export interface LobbyAction {
  keys?: string;
  do: "sit" | "leave" | "name" | "colour" | "choose" | "bot" | "more" | "away" | "up" | "down" | "option" | "setting" | "start" | "host";
  chair?: number;
  token?: string;
  name?: string;
  colour?: number;
  what?: string;
  value?: string;
}

export interface LobbyHello {
  keys?: string;
  seen?: Record<string, string>;
}

export interface LobbyMessage {
  parts?: Patch[];
  now?: LobbyState;
  build?: string;
  begun?: boolean;
  error?: string;
}

export interface LobbyState {
  host: boolean;
  chairs: number[];
  held: boolean[];
  seated: boolean[];
}

export interface NewMove {
  move: string;
  at: number;
  id: string;
}

export interface NewTurn {
  moves: string[];
  at: number;
  id: string;
}

export interface Patch {
  id: string;
  html: string;
}

export interface SocketMessage {
  token?: string | null;
  page?: boolean;
  keys?: string;
  chosen?: number | null;
  shown?: number | null;
  draft?: string[];
  pace?: "slow" | "normal" | "quick";
  at?: number;
  look?: number | null;
  serial?: number;
  packed?: boolean;
  seen?: Record<string, string> | null;
  picture?: string;
  told_of?: number | null;
  turn?: NewMove | NewTurn | null;
}

export interface TableMessage {
  parts?: Patch[];
  now?: ClientState;
  serial?: number;
  turn?: string;
  status?: number;
  body?: Answer;
  error?: string;
  told_of?: number;
}

export interface ViolatedRule {
  rule: string;
  sentence: string;
  link: string;
}
