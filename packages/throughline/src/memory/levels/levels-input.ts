import type { MemoryKind } from "../../ports/memory.ts";

/** A memory as far as its levels are made from it. */
export interface LevelsInput {
  readonly kind: MemoryKind;
  /** All of it. */
  readonly text: string;
  readonly key?: string;
  readonly value?: string;
  /** What an episode, a pattern or a workflow is called: "Auth Refactor". */
  readonly title?: string;
  /** What is done one after the other, in a workflow or a pattern. */
  readonly steps?: readonly string[];
  /** A pattern by its parts, with placeholders: `{ route: "{method} /api/{resource}" }`. */
  readonly template?: Readonly<Record<string, string>>;
}

/** What a memory says at its three shorter lengths, before they are compared with each other. */
export interface ShorterLevels {
  readonly summary: string;
  readonly compressed: string;
  readonly index: string;
}
