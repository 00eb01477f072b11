import { readPastedMemories } from "../../memory/exchange/read-pasted.ts";
import { extractFacts } from "../../memory/extract/extract-facts.ts";
import { readSlot } from "../../memory/facts/read-slot.ts";
import type { FactCategory } from "../../ports/memory.ts";
import { runInTime } from "../../ports/run-in-time.ts";

/** Asks a model what a note is about; nothing where it does not know. */
export type Classify = (
  text: string,
  options: { readonly signal: AbortSignal },
) => PromiseLike<FactCategory | undefined>;

export const CATEGORIES: readonly unknown[] = ["project", "preference", "identity"] satisfies FactCategory[];
/** Milliseconds that a person waits for a category at the most. */
const TIME_LIMIT = 4_000;

/** What a note is about: by the model where there is one and it answers in time, else by rules. */
export async function classifyFact(text: string, classify?: Classify): Promise<FactCategory> {
  if (classify === undefined) return classifyByRules(text);
  const reply = await runInTime("the model", (signal) => classify(text, { signal }), { timeLimit: TIME_LIMIT });
  const category = "value" in reply ? reply.value : undefined;
  return category !== undefined && CATEGORIES.includes(category) ? category : classifyByRules(text);
}

/**
 * As the rules of extraction and of pasted lists read it. What they cannot tell is taken for current work: that is in
 * every prompt, and who asks for something to be remembered expects to find it there.
 *
 * @example
 * classifyByRules("I prefer dark mode"); // "preference"
 */
export function classifyByRules(text: string): FactCategory {
  const [stated] = extractFacts([{ id: "note", role: "user", text }]);
  if (stated !== undefined) return stated.category;
  const [told] = readPastedMemories(text).facts;
  if (told === undefined) return "project";
  const isOfUser = told.text.startsWith("User") || readSlot(`User ${lowerFirst(text)}`) !== undefined;
  return told.category === "identity" && !isOfUser ? "project" : told.category;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
