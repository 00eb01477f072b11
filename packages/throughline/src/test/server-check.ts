import type { ServerShelf } from "../ports/server-shelf.ts";

/** A fact, tried for an owner that nobody has used before. */
export type ServerFact = readonly [name: string, prove: (shelf: ServerShelf, owner: string) => Promise<void>];
