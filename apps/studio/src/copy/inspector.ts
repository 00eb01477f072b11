import type { Band, CacheUse, ItemFate } from "throughline/internal/inspect";

type CacheLossCause = NonNullable<CacheUse["lost"]>["cause"];

/** Names of the kinds of content in a window. */
export const BAND_NAMES: Readonly<Record<Band, string>> = {
  instructions: "Instructions and tools",
  summaries: "Summaries",
  user: "Your messages",
  assistant: "Replies",
  calls: "Tool calls",
  results: "Tool results",
  files: "Files",
  added: "Added by the agent",
};

export const FATE_NAMES: Readonly<Record<ItemFate, string>> = {
  kept: "Verbatim",
  mentioned: "Summarized",
  masked: "Masked",
  gone: "Dropped",
  added: "Added",
};

/** Why a message counts as dropped, summarized, masked, verbatim or added. */
export const FATE_REASONS: Readonly<Record<ItemFate, string>> = {
  kept: "word for word in the new window.",
  mentioned: "the summary contains a name from each, or most of its words.",
  masked: "the output was replaced by a note with its handle.",
  gone: "neither verbatim nor in the summary. The agent no longer sees them.",
  added: "new in the first window afterwards.",
};

export const LOSS_NAMES: Readonly<Record<CacheLossCause | "instructions", string>> = {
  compaction: "compaction",
  model: "another model",
  expired: "pause of over 5 minutes",
  changed: "the window changed",
  instructions: "the instructions or tools changed",
};

/** `toLocaleString` of a number takes ten times as long. */
const numbers = new Intl.NumberFormat();

/** `12,345` in the user's language. */
export function number(value: number): string {
  return numbers.format(value);
}

/** `145k` from 10,000 on, `15.7M` from a million on. */
export function short(value: number): string {
  if (value < 10_000) return number(value);
  return value < 1_000_000 ? `${number(Math.round(value / 1_000))}k` : `${(value / 1_000_000).toFixed(1)}M`;
}

export function count(value: number, singular: string, plural = `${singular}s`): string {
  return `${number(value)} ${value === 1 ? singular : plural}`;
}

export function day(at: number): string {
  return new Date(at).toLocaleDateString(undefined, { day: "numeric", month: "short", year: "numeric" });
}

const wasOrWere = (value: number) => (value === 1 ? "was" : "were");
const call = (index: number) => `call ${number(index + 1)}`;

/** Texts of a session report: the chart, the items of a compaction, the needed names, rules and the prompt cache. */
export const inspectorCopy = {
  token: (tokens: number) => count(tokens, "token"),
  message: (index: number) => `message ${number(index + 1)}`,
  chart: {
    call: "Call",
    callTokens: (index: number, tokens: number) => `Call ${index + 1}: ${number(tokens)} tokens`,
    max: (tokens: number) => `${short(tokens)} tokens`,
    shortCall: (index: number) => `Call ${number(index + 1)}`,
    selected: (index: number, of: number, tokens: number) =>
      `Call ${number(index + 1)} of ${number(of)}: ${number(tokens)} tokens`,
    reported: (tokens: number) => `our count; the provider reported ${number(tokens)}`,
    removed: (tokens: number) => `then ${number(tokens)} removed by the agent, not recorded`,
    compaction: "compaction",
    lookup: "Looked up again",
    lookups: "looked up again",
  },
  compactions: "Compactions",
  compaction: (index: number) => `Compaction ${number(index + 1)}`,
  sizes: (before: number, after: number) => `${short(before)} → ${short(after)}`,
  noCompaction: (calls: number, max: number) =>
    `${number(calls)} calls, no compaction. The largest window had ${short(max)} tokens.`,
  compacted: (index: number, before: number, after: number) =>
    `After call ${number(index)}, the agent compacted ${short(before)} → ${short(after)} tokens.`,
  droppedRule: (rule: string) => `Your rule “${rule}” was dropped.`,
  droppedRules: (rules: number, first: string) => `${number(rules)} of your rules were dropped. The first: “${first}”`,
  unreadableSummary: "Its summary can't be read in the transcript.",
  nothingNeeded: (calls: number) =>
    `Its next ${count(calls, "tool call")} used no files, functions or values from before.`,
  neededNames: (needed: number, kept: number, gone: number, example: string) =>
    `Of the ${number(needed)} ${needed === 1 ? "file, function or value" : "files, functions and values"} it needed next, ${number(kept)} ${wasOrWere(kept)} kept and ${number(gone)} ${wasOrWere(gone)} gone${example}.`,
  onlyExample: (name: string) => `: ${name}`,
  example: (name: string) => `, such as ${name}`,
  repeatedLookups: (lookups: number, tokens: number) =>
    `It repeated ${count(lookups, "lookup")}, for ${short(tokens)} ${tokens === 1 ? "token" : "tokens"}.`,
  items: {
    label: "Messages before the compaction",
    title: "Tokens and messages",
    fates: "What happened to each message",
    none: "None.",
    more: (left: number) => `Show more (${number(left)} left)`,
    tokens: "Tokens",
    before: "Before",
    after: "After",
    total: "Total",
    notInTranscript: "Not in the transcript",
    removed: "Removed by the agent, not recorded",
    reported: "Reported by the provider",
    callBefore: (calls: number) => `Before: call ${number(calls)} with its reply.`,
    callAfter: (index: number) => `After: ${call(index)}.`,
  },
  needed: {
    title: "Needed afterwards",
    none: (calls: number) => `Its next ${count(calls, "tool call")} used nothing from before by name.`,
    usedBy: (calls: number) => `Used by its next ${count(calls, "tool call")}. `,
    kept: "Kept",
    keptMeans: ": still in the new window.",
    agent: "Agent",
    agentMeans: ": the summary the agent wrote. ",
    throughline: "Throughline",
    throughlineMeans: ": a summary of the same size that Throughline would have written from the same messages.",
    name: "Name",
    share: (part: number, all: number) => `${number(part)} of ${number(all)}`,
    lookups: "Looked up again",
    lookedUp: (tokens: number) => `looked up again: ${count(tokens, "token")}`,
    agentSummary: "The agent's summary",
    ownSummary: (tokens: number) => `Throughline's summary (${short(tokens)} tokens, no model)`,
    source: (index: number) => `Last in message ${number(index + 1)}`,
    use: (index: number) => `Used again by ${call(index)}`,
    marks: { kept: "kept", gone: "gone" },
  },
  rules: {
    label: "Rules",
    title: "Your rules",
    none: "No standing rules were found in this session.",
    calls: (calls: number) => `Calls 1–${number(calls)}: `,
    inWindow: "in the window,",
    missing: "missing,",
    notGiven: "not given yet.",
    always: "In every window since you gave it.",
    lost: (index: number, isRepeated: boolean, cause: string) =>
      `Missing from ${call(index)} on${isRepeated ? ", until you gave it again" : ""}${cause}.`,
    cause: (compaction: number | undefined) =>
      `, because ${compaction === undefined ? "the compaction" : `compaction ${number(compaction + 1)}`} dropped it`,
  },
  cache: {
    title: "Prompt cache",
    sums: (read: number, written: number, uncached: number) =>
      `${short(read)} tokens read, ${short(written)} tokens written, ${count(uncached, "token")} without cache.`,
    call: (index: number) => `Call ${number(index + 1)}`,
    lost: (tokens: number) => `: ${short(tokens)} tokens paid again`,
    changed: (index: number, text: string) => `${LOSS_NAMES.changed} at message ${number(index + 1)}: ${text}`,
  },
} as const;
