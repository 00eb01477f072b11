import type { Message } from "../message/message.ts";

/**
 * Returns the names of the tools that messages call, or whose results they have.
 *
 * @param messages Messages of a window.
 *
 * @example
 * const unused = workingContext.syncDiscoveredTools(extractToolNames(messages));
 */
export function extractToolNames(messages: readonly Message[]): ReadonlySet<string> {
  const parts = messages.flatMap((message) => message.parts);
  return new Set(
    parts.flatMap((part) => (part.type === "tool-call" || part.type === "tool-result" ? [part.toolName] : [])),
  );
}

/**
 * Tools that an agent discovered in a session. Pass it as option `workingContext` of a session or a `ContextManager`: a
 * compaction then drops the tools that the window no longer names.
 *
 * @example
 * const workingContext = new WorkingContext();
 * const session = tl.session("s1", { workingContext });
 * workingContext.discover("search_issues", "read_issue");
 */
export class WorkingContext {
  readonly #discovered = new Set<string>();

  /** Names of the discovered tools, in the order of their discovery. */
  get discoveredTools(): readonly string[] {
    return [...this.#discovered];
  }

  /**
   * Adds tools. Known names are not added again.
   *
   * @param names Names of the tools.
   *
   * @example
   * workingContext.discover("search_issues");
   */
  discover(...names: readonly string[]): void {
    for (const name of names) this.#discovered.add(name);
  }

  /**
   * Drops the tools that are no longer used. Compactions call it.
   *
   * @param referenced Names of the tools that are still used, from `extractToolNames`.
   * @returns the names of the dropped tools.
   *
   * @example
   * const dropped = workingContext.syncDiscoveredTools(extractToolNames(messages));
   */
  syncDiscoveredTools(referenced: ReadonlySet<string>): readonly string[] {
    const unreferenced = [...this.#discovered].filter((name) => !referenced.has(name));
    for (const name of unreferenced) this.#discovered.delete(name);
    return unreferenced;
  }
}
