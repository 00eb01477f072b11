import { stem } from "../../../packages/throughline/src/language/stem.ts";
import { extractFacts } from "../../../packages/throughline/src/memory/extract/extract-facts.ts";
import type { Dialogue } from "./read-dialogues.ts";

export interface ExtractionScore {
  turns: number;
  gold: number;
  /** Gold sentences covered by a fact of their turn. */
  found: number;
  facts: number;
  /** Facts that match a gold sentence of their turn. */
  matched: number;
  /** Supported facts, and facts that several gold sentences of their utterance cover together. */
  right: number;
  /** Wrong by that measure, but written down at another turn of the dialogue. */
  elsewhere: number;
  /** Wrong, in a turn without gold sentences. */
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

/** Words without content. Negations stay, because a fact with the wrong sign is wrong. */
const STOP_WORDS = new Set(
  `a an the i me my mine myself we us our you your he him his she her it its they them their themselves this that these those
  user user's am is are was were be been being do does did have has had to of in on at for with from by as and or but so too
  very really just also only there here what which who when where how than then if can will would could should up out about
  into over some any all more most much many lot lots year years old i'm i've im ive i'll`.split(/\s+/),
);

/** Synonyms that annotators use for each other, and negated words. */
const FOLDED = new Map(
  `like: love loves enjoy enjoys prefer prefers adore favorite favorites favourite | not like: hate hates dislike dislikes |
  not: never no cannot don't dont doesn't can't cant isn't haven't didn't won't | child: kid kids children | mom: mother mum |
  dad: father | parents: folks | man: guy male | dog: puppy | cat: kitten | donut: doughnut doughnuts | internet: web |
  professional: pro | work: job | 1: one | 2: two | 3: three | 4: four | 5: five | 6: six | 7: seven | 8: eight | 9: nine | 10: ten`
    .split("|")
    .flatMap((line) => {
      const [folded = "", words = ""] = line.split(":");
      return words
        .trim()
        .split(/\s+/)
        .map((word) => [word, folded.trim().split(" ")] as const);
    }),
);

/** Minimum F1 of shared stems for a match. */
const MIN_F1 = 0.5;
/** Minimum share of a fact that several gold sentences must cover together. */
const CONTAINED = 2 / 3;

/** The stems of the content words of a sentence. */
function contentStems(sentence: string): Set<string> {
  const words =
    sentence
      .toLowerCase()
      .replaceAll("’", "'")
      .match(/[\p{L}\p{N}][\p{L}\p{N}']*/gu) ?? [];
  const telling = words.filter((word) => !STOP_WORDS.has(word)).flatMap((word) => FOLDED.get(word) ?? [word]);
  return new Set(telling.map((word) => stem(word.replace(/'s?$/, ""))));
}

/** True if a fact and a gold sentence mean the same. */
function isMatch(fact: ReadonlySet<string>, gold: ReadonlySet<string>): boolean {
  const shared = countShared(fact, gold);
  return shared > 0 && (2 * shared) / (fact.size + gold.size) >= MIN_F1;
}

/** True if the gold sentences of a turn cover a fact together. */
function isPartOf(fact: ReadonlySet<string>, gold: ReadonlySet<string>): boolean {
  return fact.size > 0 && countShared(fact, gold) / fact.size >= CONTAINED;
}

function countShared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return [...a].filter((term) => b.has(term)).length;
}
