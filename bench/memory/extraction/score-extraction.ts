import { extractFacts } from "../../../packages/throughline/src/memory/extract/extract-facts.ts";
import { contentStems, isMatch, isPartOf } from "./match-facts.ts";
import type { Dialogue } from "./read-dialogues.ts";

export interface ExtractionScore {
  turns: number;
  gold: number;
  /** Gold sentences that some fact of their turn says. */
  found: number;
  facts: number;
  /** Facts that a gold sentence of their turn says. */
  matched: number;
  /** Those, and facts that the gold sentences of their turn say together. */
  right: number;
  /** Wrong by that, and yet written down about the speaker at another turn of the dialogue. */
  elsewhere: number;
  /** Wrong, in a turn of which nothing was written down. */
  unasked: number;
}

export function newScore(): ExtractionScore {
  return { turns: 0, gold: 0, found: 0, facts: 0, matched: 0, right: 0, elsewhere: 0, unasked: 0 };
}

/** Extracts from every turn of a dialogue and counts. */
export function scoreDialogue({ turns }: Dialogue, score: ExtractionScore): void {
  const stemmed = turns.map((turn) => ({
    ...turn,
    gold: turn.gold.map(contentStems).filter((gold) => gold.size > 0),
  }));
  for (const { text, speaker, gold } of stemmed) {
    const others = stemmed.filter((turn) => turn.speaker === speaker).flatMap((turn) => turn.gold);
    const facts = extractFacts([{ id: "turn", role: "user", text }]).map((fact) => [
      contentStems(fact.text),
      contentStems(fact.source.quote ?? ""),
    ]);
    score.turns += 1;
    score.gold += gold.length;
    score.facts += facts.length;
    score.found += gold.filter((sentence) =>
      facts.some((forms) => forms.some((form) => isMatch(form, sentence))),
    ).length;
    for (const forms of facts) scoreFact(forms, gold, others, score);
  }
}

function scoreFact(
  forms: readonly ReadonlySet<string>[],
  gold: readonly ReadonlySet<string>[],
  others: readonly ReadonlySet<string>[],
  score: ExtractionScore,
): void {
  const together = new Set(gold.flatMap((sentence) => [...sentence]));
  const isMatched = forms.some((form) => gold.some((sentence) => isMatch(form, sentence)));
  if (isMatched) score.matched += 1;
  if (isMatched || forms.some((form) => isPartOf(form, together))) score.right += 1;
  else if (forms.some((form) => others.some((sentence) => isMatch(form, sentence)))) score.elsewhere += 1;
  else if (gold.length === 0) score.unasked += 1;
}
