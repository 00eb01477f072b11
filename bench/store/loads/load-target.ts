import type { Store } from "throughline";
import type { LongSession } from "./build-session.ts";

/** What a session takes, in bytes: its messages alone, then with all that belongs to them. */
export interface Footprint {
  readonly messages: number;
  readonly all: number;
}

/** The window of a session, read by somebody who has not seen the session before. */
export interface OpenedWindow {
  /** Milliseconds until the store could be asked anything. */
  readonly open: number;
  /** Milliseconds from there to the window. */
  readonly load: number;
  readonly messages: number;
  /** Where it counts them. */
  readonly tokens?: number;
}

/** Somewhere to keep long sessions, each in a database of its own. */
export interface Shelf {
  readonly name: string;
  /** Copies a session from the store that it was made in. */
  fill(session: LongSession, source: Store): Promise<Footprint>;
  openWindow(session: LongSession): Promise<OpenedWindow>;
}
