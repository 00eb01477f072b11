import type { MemoryKind } from "../../ports/memory.ts";

/** The fields of a memory that its levels are built from. */
export interface LevelsInput {
  readonly kind: MemoryKind;
  /** Full text. */
  readonly text: string;
  /** Attribute and its value, if the memory states one: `db` and `PostgreSQL`. */
  readonly key?: string;
  readonly value?: string;
  /** Title of an episode, a pattern or a workflow: "Auth Refactor". */
  readonly title?: string;
  /** Steps of a workflow or a pattern, in order. */
  readonly steps?: readonly string[];
  /** Parts of a pattern with placeholders: `{ route: "{method} /api/{resource}" }`. */
  readonly template?: Readonly<Record<string, string>>;
}

/** The three shorter levels of a memory, before their lengths are limited. */
export interface ShorterLevels {
  readonly summary: string;
  readonly compressed: string;
  readonly index: string;
}
