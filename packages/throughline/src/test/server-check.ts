import type { ServerStore } from "../ports/server-store.ts";

/** A named check of a server store. It gets a new, unused owner. */
export type ServerFact = readonly [name: string, prove: (store: ServerStore, owner: string) => Promise<void>];
