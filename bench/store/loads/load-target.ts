import type { Store } from "throughline";
import type { LongSession } from "./build-session.ts";

/** Bytes of a session: its messages alone, then with all related data. */
export interface Footprint {
  readonly messages: number;
  readonly all: number;
}

/** The window of a session, read without any cache. */
export interface OpenedWindow {
  /** Milliseconds until the store can be queried. */
  readonly open: number;
  /** Milliseconds from there to the window. */
  readonly load: number;
  readonly messages: number;
  /** Token count, if available. */
  readonly tokens?: number;
}

/** A contestant that stores long sessions, each in its own database. */
export interface LoadTarget {
  readonly name: string;
  /** Copies a session from the store that it was built in. */
  fill(session: LongSession, source: Store): Promise<Footprint>;
  openWindow(session: LongSession): Promise<OpenedWindow>;
}
