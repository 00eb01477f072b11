import { oneLine } from "../../internal/text.ts";
import { describeUserBriefly } from "../../language/third-person.ts";
import type { FactCategory } from "../../ports/memory.ts";
import type { MemoryFact } from "../memory-fact.ts";

const HEADING = "## What you know about this user";
/** Maximum characters of a fact; longer facts are cut to head and tail. */
const MAX_LINE_LENGTH = 400;

/** Groups in prompt order. */
const GROUPS: readonly (readonly [FactCategory, string])[] = [
  ["project", "Current work:"],
  ["preference", "Preferences:"],
  ["identity", "About user:"],
];

/**
 * Formats facts for the system prompt, by category; empty if there are none. Each fact is one line without line breaks,
 * invisible characters or headings.
 *
 * @param memories Facts with their categories.
 *
 * @example
 * const block = formatMemoryForPrompt([{ fact: "Prefers direct answers", category: "preference" }]);
 */
export function formatMemoryForPrompt(memories: readonly Pick<MemoryFact, "fact" | "category">[]): string {
  const groups = GROUPS.flatMap(([category, title]) => {
    const lines = memories.filter((memory) => memory.category === category).flatMap(factLine);
    return lines.length === 0 ? [] : [[title, ...lines].join("\n")];
  });
  return groups.length === 0 ? "" : [HEADING, ...groups].join("\n\n");
}

/** Empty if the fact has no visible characters. */
function factLine({ fact }: Pick<MemoryFact, "fact">): readonly string[] {
  const line = oneLine(fact, MAX_LINE_LENGTH);
  return line === "" ? [] : [`- ${describeUserBriefly(line)}`];
}
