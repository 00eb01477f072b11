import { stem } from "../../../packages/throughline/src/memory/recall/words/stem.ts";

/** Words that carry nothing on their own. Negations stay: a fact with the wrong sign is wrong. */
const STOP_WORDS = new Set(
  `a an the i me my mine myself we us our you your he him his she her it its they them their themselves this that these those
  user user's am is are was were be been being do does did have has had to of in on at for with from by as and or but so too
  very really just also only there here what which who when where how than then if can will would could should up out about
  into over some any all more most much many lot lots year years old i'm i've im ive i'll`.split(/\s+/),
);

/** One word for those that summaries of people use for each other, and what a negated word says. */
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

/** The harmonic mean of the shares of stems that a fact and a gold sentence have in common, from which they are one. */
const ENOUGH = 0.5;
/** The share of a fact that the gold sentences of its turn have to hold, where they say it together. */
const CONTAINED = 2 / 3;

/** The stems of the words that carry a sentence. */
export function contentStems(sentence: string): Set<string> {
  const words =
    sentence
      .toLowerCase()
      .replaceAll("’", "'")
      .match(/[\p{L}\p{N}][\p{L}\p{N}']*/gu) ?? [];
  const telling = words.filter((word) => !STOP_WORDS.has(word)).flatMap((word) => FOLDED.get(word) ?? [word]);
  return new Set(telling.map((word) => stem(word.replace(/'s?$/, ""))));
}

/** Whether a fact and a gold sentence say the same. */
export function isMatch(fact: ReadonlySet<string>, gold: ReadonlySet<string>): boolean {
  const shared = countShared(fact, gold);
  return shared > 0 && (2 * shared) / (fact.size + gold.size) >= ENOUGH;
}

/** Whether a fact says a part of what the gold sentences of its turn say together. */
export function isPartOf(fact: ReadonlySet<string>, gold: ReadonlySet<string>): boolean {
  return fact.size > 0 && countShared(fact, gold) / fact.size >= CONTAINED;
}

function countShared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return [...a].filter((term) => b.has(term)).length;
}
