import { isRule } from "../language/rule-markers.ts";
import { readWords, wordSet } from "../language/words.ts";
import type { Ledger, LedgerConstraint, LedgerRequest } from "./ledger.ts";
import type { WordLimits } from "./ledger-limits.ts";

/** Maximum number of rules per message that rank with those of other messages. Further ones rank behind all of them. */
const PER_MESSAGE = 4;
/** A message with more rules ranks behind others as a whole, because most of them are not rules for this session. */
const MANY = 12;
/** Words that do not change the meaning of a rule. */
const FILLERS = wordSet(
  "please pls again just really also and so the a an bitte por favor s il te vous plait per favore пожалуйста lutfen 请 請",
);

/**
 * Adds the rules of a message to a list. A rule that is already known verbatim is counted as a repetition. If a message
 * has many rules, all but a few rank behind those of other messages.
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
    // A client may report one refusal several times.
    else if (rule.refused === undefined) rules.set(keyOf(rule), repeated(before, behind));
  }
  return [...rules.values()];
}

function repeated({ behind: before = 0, times = 1, ...rule }: LedgerConstraint, now: number): LedgerConstraint {
  const behind = Math.min(before, now);
  return { ...rule, times: times + 1, ...(behind === 0 ? {} : { behind }) };
}

/**
 * The rules after a call was made. If the user had refused that call before, the reason was temporary, unless it is a
 * rule.
 */
export function noteConsent(rules: readonly LedgerConstraint[], call: string): readonly LedgerConstraint[] {
  const isRefusalOf = ({ refused, text }: LedgerConstraint) => refused === call && refused !== "" && !isRule(text);
  return rules.some(isRefusalOf)
    ? rules.map((rule) => (isRefusalOf(rule) ? { ...rule, wasDone: true as const } : rule))
    : rules;
}

/**
 * True if a correction or the reason for a refusal is closed: the request with the correction has ended, or the
 * refused call was made later. Repeated ones never are.
 */
export function isClosed(
  { kind, wasDone, times = 1, at }: LedgerConstraint,
  requests: readonly LedgerRequest[],
): boolean {
  if (times > 1) return false;
  if (wasDone === true) return true;
  return kind === "correction" && requests.some((request) => request.at === at && request.state !== "open");
}

/** Requests whose outcome the user corrected with the next message. */
export function correctedRequests({
  requests,
  constraints,
}: Pick<Ledger, "requests" | "constraints">): Set<LedgerRequest> {
  const corrections = new Set(constraints.filter(({ kind }) => kind === "correction").map(({ at }) => at));
  return new Set(requests.filter((_, index) => corrections.has(requests[index + 1]?.at ?? 0)));
}

/** Rules in the order of a note: standing rules, corrections, refusals, each newest first. */
export function rulesInOrder(rules: readonly LedgerConstraint[]): readonly LedgerConstraint[] {
  const newest = rules.toReversed();
  const rank = ({ kind, refused }: LedgerConstraint) => (refused !== undefined ? 2 : kind === undefined ? 0 : 1);
  return newest.toSorted((a, b) => rank(a) - rank(b));
}

function keyOf({ text, refused }: LedgerConstraint): string {
  return `${refused ?? ""}\n${text}`;
}

/**
 * Reduces rules to the limits, in order. Rules that differ only in filler words are merged, then those with the lowest
 * priority are dropped; `dropped` is their number.
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

/** Merges rules that differ only in filler words. The first wording is kept. */
function mergeRules(rules: readonly LedgerConstraint[]): readonly LedgerConstraint[] {
  return [...Map.groupBy(rules, wordsOf).values()].flatMap(([first, ...others]) => {
    if (first === undefined || others.length === 0) return first ?? [];
    return { ...first, times: others.reduce((sum, { times = 1 }) => sum + times, first.times ?? 1) };
  });
}

/** Drops rules that repeat others, apart from filler words. */
export function distinctRules(rules: readonly LedgerConstraint[]): readonly LedgerConstraint[] {
  return [...Map.groupBy(rules, wordsOf).values()].flatMap(([first]) => first ?? []);
}

function wordsOf({ text, refused = "" }: LedgerConstraint): string {
  const words = readWords(text).filter((word) => !FILLERS.has(word));
  return `${refused}\n${words.length === 0 ? text : words.join(" ")}`;
}

/**
 * Rules by descending priority: those of messages with few rules, then repeated ones, then the newest and the oldest in
 * turn, closed ones last.
 */
export function rulesByPriority(
  rules: readonly LedgerConstraint[],
  isPast: (rule: LedgerConstraint) => boolean = ({ wasDone }) => wasDone === true,
): readonly LedgerConstraint[] {
  const rank = (rule: LedgerConstraint) => ((rule.times ?? 1) > 1 ? 0 : isPast(rule) ? 2 : 1);
  return [...Map.groupBy(rules, ({ behind = 0 }) => behind)]
    .sort(([a], [b]) => a - b)
    .flatMap(([, tier]) => [0, 1, 2].flatMap((level) => fromBothEnds(tier.filter((rule) => rank(rule) === level))));
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
