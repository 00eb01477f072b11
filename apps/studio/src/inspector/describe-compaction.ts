import type { ReportedCompaction, SessionReport } from "throughline/internal/inspect";
import { count, number, short } from "./copy.ts";

/** Characters of a rule in the sentence. */
const MAX_RULE = 120;
/** Characters of a name in the sentence. */
const MAX_NAME = 60;

/** Describes the effect of a compaction in a few sentences. A rule of the user that it dropped comes first. */
export function describeCompaction(compaction: ReportedCompaction, rules: SessionReport["rules"]): string {
  const { call, tokensBefore, tokensAfter, summary, review, lookups } = compaction;
  const sizes = `After call ${number(call)}, the agent compacted ${short(tokensBefore)} → ${short(tokensAfter)} tokens.`;
  const dropped = summary === undefined ? [] : rules.filter((rule) => isDropped(rule, call));
  return [
    ...describeRules(dropped),
    sizes,
    ...describeNames(summary === undefined ? undefined : review),
    ...describeLookups(lookups),
  ].join(" ");
}

/** True if the last window before the call had the rule, and the window of the call does not have it. */
function isDropped({ present, missingFrom }: SessionReport["rules"][number], call: number): boolean {
  const isInWindow = (of: number) => present.some(([first, last]) => first <= of && of <= last);
  return missingFrom !== undefined && missingFrom <= call && isInWindow(call - 1) && !isInWindow(call);
}

function describeRules(dropped: SessionReport["rules"]): string[] {
  const [first] = dropped;
  if (first === undefined) return [];
  const text = first.text.length > MAX_RULE ? `${first.text.slice(0, MAX_RULE).trimEnd()}…` : first.text;
  if (dropped.length === 1) return [`Your rule “${text}” was dropped.`];
  return [`${number(dropped.length)} of your rules were dropped. The first: “${text}”`];
}

function describeNames(review: ReportedCompaction["review"]): string[] {
  if (review === undefined) return ["Its summary can't be read in the transcript."];
  const { calls, needed, kept, missing } = review;
  if (needed === 0) return [`Its next ${count(calls, "tool call")} used no files, functions or values from before.`];
  const names = needed === 1 ? "file, function or value" : "files, functions and values";
  const gone = missing.length;
  return [
    `Of the ${number(needed)} ${names} it needed next, ${number(kept)} ${wasOrWere(kept)} kept and ${number(gone)} ${wasOrWere(gone)} gone${exampleOf(missing)}.`,
  ];
}

/** The first of the names, which was used most; a file without its folder. */
function exampleOf([first, ...others]: readonly string[]): string {
  if (first === undefined) return "";
  const name = first.split(/[/\\]/).findLast((part) => part !== "") ?? first;
  return `${others.length === 0 ? ":" : ", such as"} ${name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name}`;
}

function describeLookups(lookups: ReportedCompaction["lookups"]): string[] {
  if (lookups.length === 0) return [];
  const tokens = lookups.reduce((sum, one) => sum + one.tokens, 0);
  return [`It repeated ${count(lookups.length, "lookup")}, for ${short(tokens)} tokens.`];
}

function wasOrWere(value: number): string {
  return value === 1 ? "was" : "were";
}
