import { wordSet } from "../language/word-lists.ts";
import { readWords } from "../language/words.ts";
import type { LedgerConstraint } from "./ledger.ts";
import type { WordLimits } from "./ledger-limits.ts";

/** So many rules of one message rank with those of other messages; further ones rank behind all of them. */
const PER_MESSAGE = 4;
/** A message with more rules than this ranks behind others as a whole: most of it is no rule for this session. */
const MANY = 12;
/** Words that do not change what a rule says. */
const FILLERS = wordSet(
  "please pls again just really also and so the a an bitte por favor s il te vous plait per favore пожалуйста lutfen 请 請",
);

/**
 * Adds the rules of a message to a list. One that is known verbatim is counted instead: the user said it again. Of many
 * rules in one message, all but a few rank behind those of other messages.
 */
export function addRules(
  known: readonly LedgerConstraint[],
  found: readonly LedgerConstraint[],
): readonly LedgerConstraint[] {
  const rules = new Map(known.map((rule) => [keyOf(rule), rule]));
  const isMany = found.length > MANY ? 1 : 0;
  let index = known.filter(({ at }) => at === found[0]?.at).length;
  for (const rule of found) {
    const before = rules.get(keyOf(rule));
    if (before?.at === rule.at) continue;
    const behind = Math.floor(index / PER_MESSAGE) + isMany;
    index += 1;
    if (before === undefined) rules.set(keyOf(rule), behind === 0 ? rule : { ...rule, behind });
    // A client may report one refusal in several places.
    else if (rule.refused === undefined) rules.set(keyOf(rule), repeated(before, behind));
  }
  return [...rules.values()];
}

function repeated({ behind: before = 0, times = 1, ...rule }: LedgerConstraint, now: number): LedgerConstraint {
  const behind = Math.min(before, now);
  return { ...rule, times: times + 1, ...(behind === 0 ? {} : { behind }) };
}

function keyOf({ text, refused }: LedgerConstraint): string {
  return `${refused ?? ""}\n${text}`;
}

/**
 * No more rules than the limits allow, in their order. Rules that differ only in filler words become one, then those of
 * the lowest priority are left out; `dropped` is their number.
 */
export function keepRules(
  rules: readonly LedgerConstraint[],
  { count, characters }: Pick<WordLimits, "count" | "characters">,
): { readonly rules: readonly LedgerConstraint[]; readonly dropped: number } {
  const length = rules.reduce((sum, { text }) => sum + text.length, 0);
  if (rules.length <= count && length <= characters) return { rules, dropped: 0 };
  const merged = mergeRules(rules);
  const kept = new Set<LedgerConstraint>();
  let used = 0;
  for (const rule of rulesByPriority(merged)) {
    if (kept.size === count || used + rule.text.length > characters) continue;
    kept.add(rule);
    used += rule.text.length;
  }
  return { rules: merged.filter((rule) => kept.has(rule)), dropped: merged.length - kept.size };
}

/** Rules with the same words, apart from filler words, as one: in the words that were used first. */
function mergeRules(rules: readonly LedgerConstraint[]): readonly LedgerConstraint[] {
  return [...Map.groupBy(rules, wordsOf).values()].flatMap(([first, ...others]) => {
    if (first === undefined || others.length === 0) return first ?? [];
    return { ...first, times: others.reduce((sum, { times = 1 }) => sum + times, first.times ?? 1) };
  });
}

/** Without rules that repeat others in the same words, apart from filler words. */
export function distinctRules(rules: readonly LedgerConstraint[]): readonly LedgerConstraint[] {
  return [...Map.groupBy(rules, wordsOf).values()].flatMap(([first]) => first ?? []);
}

function wordsOf({ text, refused = "" }: LedgerConstraint): string {
  const words = readWords(text).filter((word) => !FILLERS.has(word));
  return `${refused}\n${words.length === 0 ? text : words.join(" ")}`;
}

/**
 * Rules from the one to keep longest to the one to leave out first: those of messages with few rules, then those that
 * the user repeated, then the newest and the oldest in turn.
 */
export function rulesByPriority(rules: readonly LedgerConstraint[]): readonly LedgerConstraint[] {
  const isRepeated = ({ times = 1 }: LedgerConstraint) => times > 1;
  return [...Map.groupBy(rules, ({ behind = 0 }) => behind)]
    .sort(([a], [b]) => a - b)
    .flatMap(([, tier]) => [
      ...fromBothEnds(tier.filter(isRepeated)),
      ...fromBothEnds(tier.filter((rule) => !isRepeated(rule))),
    ]);
}

/** The last, the first, the last but one, the second, and so on. */
function fromBothEnds<T>(list: readonly T[]): readonly T[] {
  const half = Math.floor(list.length / 2);
  const first = list.slice(0, half);
  return list
    .slice(half)
    .toReversed()
    .flatMap((last, index) => [last, ...first.slice(index, index + 1)]);
}
