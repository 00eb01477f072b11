import { oneLine } from "../../internal/one-line.ts";
import type { FactCategory } from "../../ports/memory.ts";
import type { MemoryFact } from "../memory-fact.ts";

const HEADING = "## What you know about this user";
/** Characters; what is longer is cut to head and tail, so that one fact cannot take all the room. */
const MAX_LINE_LENGTH = 400;

/** In the order in which they stand in the prompt. */
const GROUPS: readonly (readonly [FactCategory, string])[] = [
  ["project", "Current work:"],
  ["preference", "Preferences:"],
  ["identity", "About user:"],
];

/**
 * Facts as they stand in the system prompt, by category; empty where there are none. A fact is one line of data: it has
 * no breaks, nothing invisible and no heading of its own.
 *
 * @example
 * formatMemoryForPrompt(facts); // "## What you know about this user\n\nPreferences:\n- Prefers direct answers"
 */
export function formatMemoryForPrompt(memories: readonly Pick<MemoryFact, "fact" | "category">[]): string {
  const groups = GROUPS.flatMap(([category, title]) => {
    const lines = memories.filter((memory) => memory.category === category).flatMap(factLine);
    return lines.length === 0 ? [] : [[title, ...lines].join("\n")];
  });
  return groups.length === 0 ? "" : [HEADING, ...groups].join("\n\n");
}

/** Nothing where nothing of it can be seen. */
function factLine({ fact }: Pick<MemoryFact, "fact">): readonly string[] {
  const line = oneLine(fact, MAX_LINE_LENGTH);
  return line === "" ? [] : [`- ${line}`];
}
