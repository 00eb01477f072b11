import type { ServerStore } from "../ports/server-store.ts";

/** A fact, tried for an owner that nobody has used before. */
export type ServerFact = readonly [name: string, prove: (store: ServerStore, owner: string) => Promise<void>];
