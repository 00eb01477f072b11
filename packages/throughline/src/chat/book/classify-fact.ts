import { readPastedMemories } from "../../memory/exchange/read-pasted.ts";
import { extractFacts } from "../../memory/extract/extract-facts.ts";
import { readSlot } from "../../memory/facts/read-slot.ts";
import type { FactCategory } from "../../ports/memory.ts";
import { runInTime } from "../../ports/run-in-time.ts";
import { CATEGORIES } from "../memory-fact.ts";
import { categoryByPhrase } from "./category-phrases.ts";

/** Asks a model for the category of a note; `undefined` if it does not know. */
export type Classify = (
  text: string,
  options: { readonly signal: AbortSignal },
) => PromiseLike<FactCategory | undefined>;

/** Maximum wait for the model in milliseconds. */
const TIME_LIMIT = 4_000;

/** Returns the category of a note: by the model if there is one and it answers in time, otherwise by rules. */
export async function classifyFact(text: string, classify?: Classify): Promise<FactCategory> {
  if (classify === undefined) return classifyByRules(text);
  const reply = await runInTime("the model", (signal) => classify(text, { signal }), { timeLimit: TIME_LIMIT });
  const category = "value" in reply ? reply.value : undefined;
  return category !== undefined && CATEGORIES.includes(category) ? category : classifyByRules(text);
}

/**
 * Classifies a note by the rules of extraction, or by common phrases of other languages. Unclear notes count as current work, because these facts are in every
 * prompt.
 *
 * @param text Text of the note.
 *
 * @example
 * classifyByRules("I prefer dark mode"); // "preference"
 */
export function classifyByRules(text: string): FactCategory {
  const [stated] = extractFacts([{ id: "note", role: "user", text }]);
  if (stated !== undefined) return stated.category;
  const byPhrase = categoryByPhrase(text);
  if (byPhrase !== undefined) return byPhrase;
  const [told] = readPastedMemories(text).facts;
  if (told === undefined) return "project";
  const isOfUser = told.text.startsWith("User") || readSlot(`User ${lowerFirst(text)}`) !== undefined;
  return told.category === "identity" && !isOfUser ? "project" : told.category;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
