import type { Message } from "../../packages/throughline/src/message/message.ts";
import { findIdentifiers } from "../compaction/identifiers.ts";
import { readPart } from "../compaction/message-text.ts";

/** What the rest of a session names: identifiers, and files also by the ends of their paths. */
export class LaterNames {
  /** Each name by all that it may be called. */
  readonly #called = new Map<string, string>();

  /** `withResults`: also what tools show; without it, only what somebody types. */
  constructor(messages: readonly Message[], withResults: boolean) {
    const parts = messages.flatMap((message) =>
      message.parts.filter((part) => part.type !== "tool-result" || withResults),
    );
    for (const name of LaterNames.read(parts.map(readPart).join("\n"))) {
      for (const called of [name, ...endsOf(name)]) this.#called.set(called, name);
    }
  }

  static read(text: string): ReadonlySet<string> {
    return findIdentifiers(text);
  }

  /** Whether a text names something of it. */
  isNamedIn(text: string): boolean {
    return this.among(LaterNames.read(text)).size > 0;
  }

  /** Those of its names that are among others. */
  among(names: ReadonlySet<string>): ReadonlySet<string> {
    return new Set([...names].flatMap((name) => this.#called.get(name) ?? []));
  }
}

/** The path of a file from each of its folders on, its bare name left out: many files are called alike. */
function endsOf(path: string): readonly string[] {
  const names = path.replace(/^\/+/, "").split("/");
  return names.slice(1, -1).map((_, at) => names.slice(at + 1).join("/"));
}
