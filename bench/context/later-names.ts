import type { Message } from "../../packages/throughline/src/message/message.ts";
import { findIdentifiers } from "../compaction/identifiers.ts";
import { readPart } from "../compaction/message-text.ts";

/** Names in the rest of a session: identifiers, and files also by path suffix. */
export class LaterNames {
  /** Each name by its variants. */
  readonly #called = new Map<string, string>();

  /** `withResults` includes tool results; without it, only typed text counts. */
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

  /** True if a text contains one of the names. */
  isNamedIn(text: string): boolean {
    return this.among(LaterNames.read(text)).size > 0;
  }

  /** The names that are also in another set. */
  among(names: ReadonlySet<string>): ReadonlySet<string> {
    return new Set([...names].flatMap((name) => this.#called.get(name) ?? []));
  }
}

/** All path suffixes of a file except its bare name, which is often ambiguous. */
function endsOf(path: string): readonly string[] {
  const names = path.replace(/^\/+/, "").split("/");
  return names.slice(1, -1).map((_, at) => names.slice(at + 1).join("/"));
}
