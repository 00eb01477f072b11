import type { Message } from "../message/message.ts";

/** Returns the names of the tools that messages call or answer. */
export function extractToolNames(messages: readonly Message[]): ReadonlySet<string> {
  const parts = messages.flatMap((message) => message.parts);
  return new Set(
    parts.flatMap((part) => (part.type === "tool-call" || part.type === "tool-result" ? [part.toolName] : [])),
  );
}

/** The tools that an agent discovered in a session. A compaction drops those that the window no longer names. */
export class WorkingContext {
  readonly #discovered = new Set<string>();

  get discoveredTools(): readonly string[] {
    return [...this.#discovered];
  }

  discover(...names: readonly string[]): void {
    for (const name of names) this.#discovered.add(name);
  }

  /** Drops all tools that are not referenced any more, and returns their names. */
  syncDiscoveredTools(referenced: ReadonlySet<string>): readonly string[] {
    const gone = [...this.#discovered].filter((name) => !referenced.has(name));
    for (const name of gone) this.#discovered.delete(name);
    return gone;
  }
}
