import { mapYielding } from "../../internal/yield-to-event-loop.ts";
import { splitSentences } from "../../language/sentences.ts";
import type { Memory } from "../../ports/memory.ts";
import type { AuditFinding } from "./audit-memories.ts";

/** Tags and headings under which programs insert recalled memories into a prompt. */
const BLOCK =
  /<\/?[\w-]{0,20}memor(?:y|ies)[\w-]{0,20}>|\b(?:recalled|retrieved|relevant|stored|saved) (?:user )?memor(?:y|ies)(?: [\w ]{1,40})?:|Notes from earlier, for reference\./i;
/** Number of words from which a sentence is unlikely to be repeated by chance. */
const MIN_WORDS = 5;

/**
 * Finds facts whose text was recalled from memory and then stored again: a copy of a block of memories, a fact from
 * inserted text, or one that repeats an older fact among other sentences.
 */
export async function findRecalledText(
  memories: readonly Memory[],
  isFromInsertedText: (memory: Memory) => boolean = () => false,
): Promise<readonly AuditFinding[]> {
  const facts = memories.filter(({ kind }) => kind === "fact");
  const oldest = new Map<string, Memory>();
  await mapYielding(facts, (fact) => {
    const key = wordsOf(fact.levels.full);
    const known = key === undefined ? fact : oldest.get(key);
    if (key !== undefined && (known === undefined || fact.createdAt < known.createdAt)) oldest.set(key, fact);
  });
  const found = await mapYielding(facts, (fact) => readFact(fact, oldest, isFromInsertedText));
  return found.flat();
}

function readFact(
  fact: Memory,
  oldest: ReadonlyMap<string, Memory>,
  isFromInsertedText: (memory: Memory) => boolean,
): readonly AuditFinding[] {
  const { id, levels } = fact;
  const finding = (reason: string, others: readonly string[] = []): readonly AuditFinding[] => [
    { kind: "recalled", ids: [id, ...others], reason },
  ];
  if (BLOCK.test(levels.full)) return finding("Contains a block of recalled memories.");
  if (isFromInsertedText(fact)) return finding("Comes from text that was inserted into a message.");
  const sentences = splitSentences(levels.full, { anyCase: true });
  if (sentences.length < 2) return [];
  for (const { text } of sentences) {
    const known = oldest.get(wordsOf(text) ?? "");
    if (known !== undefined && known.id !== id && known.createdAt < fact.createdAt && !isOfSameMessage(known, fact)) {
      return finding("Repeats an older memory among other sentences.", [known.id]);
    }
  }
  return [];
}

function isOfSameMessage({ source: a }: Memory, { source: b }: Memory): boolean {
  return a.messageId !== undefined && a.messageId === b.messageId && a.sessionId === b.sessionId;
}

/** The words of a text without case and punctuation; undefined if there are few. */
function wordsOf(text: string): string | undefined {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length < MIN_WORDS ? undefined : words.join(" ");
}
