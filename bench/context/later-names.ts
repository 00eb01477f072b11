import type { Message } from "../../packages/throughline/src/message/message.ts";
import { findIdentifiers } from "../compaction/identifiers.ts";
import { readPart } from "../compaction/read-text.ts";

/** What the rest of a session names: identifiers, and files by the ends of their paths. */
export class LaterNames {
  readonly #names = new Set<string>();
  readonly #ends = new Set<string>();

  /** `withResults`: also what tools show; without it, only what somebody types. */
  constructor(messages: readonly Message[], withResults: boolean) {
    const parts = messages.flatMap((message) =>
      message.parts.filter((part) => part.type !== "tool-result" || withResults),
    );
    for (const name of findIdentifiers(parts.map(readPart).join("\n"))) {
      this.#names.add(name);
      for (const end of endsOf(name)) this.#ends.add(end);
    }
  }

  get size(): number {
    return this.#names.size;
  }

  /** Whether a text names something of it. */
  isNamedIn(text: string): boolean {
    return [...findIdentifiers(text)].some((name) => this.#names.has(name) || this.#ends.has(name));
  }
}

/** The path of a file from each of its folders on, its bare name left out: many files are called alike. */
function endsOf(path: string): readonly string[] {
  const names = path.replace(/^\/+/, "").split("/");
  return names.slice(1, -1).map((_, at) => names.slice(at + 1).join("/"));
}
