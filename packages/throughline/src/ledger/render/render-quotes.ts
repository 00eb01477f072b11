import { cutMiddle, oneLine } from "../../internal/text.ts";
import { splitSentences } from "../../language/sentences.ts";
import { isSmallTalk } from "../../language/small-talk.ts";
import {
  EMPTY_LEDGER,
  type Ledger,
  type LedgerConstraint,
  type LedgerRequest,
  LIMITS,
  type RequestState,
} from "../ledger.ts";
import { cutWords, entryOf, tidyLines } from "../quoted/user-quotes.ts";

import { isLedger } from "../serialize-ledger.ts";

import { type NoteStyleName, REQUEST_TITLES, RULE_TITLES } from "./note-style.ts";

/**
 * Lengths in characters to which requests are cut with a handle for the rest. Open requests stay longer than others.
 */
const OPEN_LENGTHS = [2_000, 1_000, 500];
const ENDED_LENGTHS = [800, 400];
/** Lengths of short forms, which end with "…" and have no handle. */
const SHORT_LENGTHS = [240, 160, 100, 60];
const RULE_LENGTHS = [120];
/** Longer messages are pasted text. */
const MAX_SMALL_TALK_LENGTH = 4_000;
const LABELS: Readonly<Record<RequestState, string>> = {
  open: "Open",
  done: "Done",
  answered: "Answered",
  stopped: "Stopped by the user",
};

const THEN_CORRECTED = ", then corrected";
/** The label of an answered request. */
const ANSWERED = /^- (?:(Task), answered|Answered)/;

/** The line of a request without its answer: the label does not claim one. */
export function withoutAnswer(line: string): string {
  return line.replace(ANSWERED, (_, task?: string) => `- ${task ?? "Asked"}`);
}

/** Format of a request in a note. */
interface RequestFormat {
  readonly isTask: boolean;
  /** Empty if the note has no dates. */
  readonly date: string;
  readonly style?: NoteStyleName | undefined;
  /** True if the next message of the user corrects the outcome. */
  readonly isCorrected?: boolean;
}

/** The text of a request with its outcome, in forms from long to short. A chat has no outcomes and no handles. */
export function requestForms(
  request: LedgerRequest,
  { isTask, date, style, isCorrected = false }: RequestFormat,
): readonly string[] {
  const { text, part, state } = request;
  const isChat = style === "chat";
  const lengths = state === "open" || isTask ? OPEN_LENGTHS : ENDED_LENGTHS;
  const outcome = isCorrected ? `${LABELS[state]}${THEN_CORRECTED}` : LABELS[state];
  const label = isTask ? `Task, ${outcome.toLowerCase()}` : outcome;
  const shown = isChat ? "User" : label;
  const quoted = isChat ? withoutSmallTalk(text) : text;
  const words = [
    quoted,
    ...lengths.map((max) => cutWords(quoted, max, isChat ? undefined : part)),
    ...SHORT_LENGTHS.map((max) => shorten(quoted, max)),
  ];
  return shorterOnly(words.map((one) => entryOf(date === "" ? shown : `${shown} (${date})`, one)));
}

/** A text without greetings, thanks and praise, each replaced by "…". A text of nothing else stays unchanged. */
function withoutSmallTalk(text: string): string {
  if (text.length > MAX_SMALL_TALK_LENGTH) return text;
  const sentences = splitSentences(text);
  const isLeftOut = sentences.map((sentence) => isSmallTalk(sentence.text));
  if (isLeftOut.every((isLeft) => isLeft) || !isLeftOut.includes(true)) return text;
  const pieces = sentences.flatMap(({ start, end }, at) => {
    if (isLeftOut[at]) return isLeftOut[at - 1] ? [] : ["…"];
    // White space belongs to the sentence before it, unless that one is dropped.
    const next = sentences[at + 1];
    return [text.slice(start, next === undefined || isLeftOut[at + 1] ? end : next.start).trimEnd()];
  });
  return tidyLines(pieces.join(" "));
}

const CORRECTION = "- Correction: ";

/** The text of a rule, in forms from long to short. Corrections and reasons for refusals have a label. */
export function ruleForms({ text, part, refused, kind }: LedgerConstraint): readonly string[] {
  const write = (words: string) => {
    if (refused !== undefined) return `- ${refusalLabel(refused)}: "${words}"`;
    return kind === undefined ? `- ${words}` : `${CORRECTION}${words}`;
  };
  return shorterOnly([write(text), ...RULE_LENGTHS.map((max) => write(cutWords(text, max, part)))]);
}

function refusalLabel(refused: string): string {
  return refused === "" ? "Refused" : `Refused \`${refused}\``;
}
const REFUSAL = /^- Refused(?: `([^`]*)`)?: "(.*)"$/;

/** Parses the rule in a line of a note. */
function readRule(line: string): Pick<LedgerConstraint, "text" | "refused" | "kind"> {
  if (line.startsWith(CORRECTION)) return { text: line.slice(CORRECTION.length), kind: "correction" };
  const [, refused = "", text] = REFUSAL.exec(line) ?? [];
  return text === undefined ? { text: line.slice(2) } : { text, refused };
}

/** The first words of a text on one line. */
function shorten(text: string, max: number): string {
  const line = text.replace(/\s+/g, " ");
  if (line.length <= max) return line;
  const head = cutMiddle(line.slice(0, max), max).replace(/\s+\S{0,30}$/, "");
  return `${head} …`;
}

function shorterOnly(forms: readonly string[]): readonly string[] {
  return forms.filter((form, index) => forms.slice(0, index).every((other) => form.length < other.length));
}

/** Beginning of an entry. In words of the user it is escaped with a backslash. */
const ENTRY =
  /^- (?:Task|User|(?:Task, )?(open|done|answered|asked|stopped by the user)(?:, then corrected)?)(?: \([\d-]{10}\))?:(?: |$)/i;
/** Prefix of the sentences about the outcome of a request. */
const HAPPENED = "→ ";
const LEFT_OUT = /^- (\d{1,6}) more in the history$/;

/**
 * Reads the user's words from a rendered ledger, if only its text is available. Returns an empty ledger for text that
 * `renderLedger` could not have written.
 *
 * @example
 * const { requests, constraints } = readWords(renderLedger(ledger, { budget: 2_000, count: countTokens }));
 */
export function readWords(rendered: string): Ledger {
  const requests = readSection(rendered, REQUEST_TITLES);
  const rules = readSection(rendered, RULE_TITLES);
  const entries = readEntries(requests.lines);
  const read = toRequests(requests.isEarlier ? inOrder(entries) : entries);
  const words: Ledger = {
    ...EMPTY_LEDGER,
    messages: Math.max(1, read.requests.length, rules.lines.length),
    requests: read.requests,
    statements: read.statements,
    // The newest rule comes first.
    constraints: rules.lines
      .toReversed()
      .map((line, index): LedgerConstraint => ({ ...readRule(line), at: index + 1 })),
    droppedCounts: { requests: requests.leftOut, constraints: rules.leftOut },
  };
  return isLedger(words) ? words : EMPTY_LEDGER;
}

interface Section {
  readonly lines: readonly string[];
  readonly leftOut: number;
  /** True for text of version 0.1, which has the newest requests first. */
  readonly isEarlier: boolean;
}

function readSection(rendered: string, titles: readonly string[]): Section {
  const sections = rendered.split(/\n\n(?=### )/);
  const section = sections.find((one) => titles.some((title) => one.startsWith(`### ${title}\n`)));
  const lines = section?.split("\n").slice(1) ?? [];
  const leftOut = Number(LEFT_OUT.exec(lines.at(-1) ?? "")?.[1] ?? 0);
  const isEarlier = section?.startsWith("### Requests\n") === true;
  return { lines: leftOut > 0 ? lines.slice(0, -1) : lines, leftOut, isEarlier };
}

interface Entry {
  readonly words: string[];
  readonly state: RequestState;
  readonly happened: string[];
}

function readEntries(lines: readonly string[]): readonly Entry[] {
  const entries: Entry[] = [];
  for (const line of lines) {
    const [start, label] = ENTRY.exec(line) ?? [];
    const entry = entries.at(-1);
    if (start !== undefined) entries.push({ words: [line.slice(start.length)], state: stateOf(label), happened: [] });
    else if (line.startsWith(HAPPENED)) entry?.happened.push(line.slice(HAPPENED.length));
    else entry?.words.push(line);
  }
  return entries;
}

function inOrder(entries: readonly Entry[]): readonly Entry[] {
  return [...entries.slice(0, 1), ...entries.slice(1).reverse()];
}

/** Requests in order, one message per request, and the sentences below them. */
function toRequests(entries: readonly Entry[]): Pick<Ledger, "requests" | "statements"> {
  return {
    // A block of code begins on its own line.
    requests: entries.map(({ words, state }, index) => {
      return { text: words.join("\n").replace(/^\n/, ""), at: index + 1, state, said: 0 };
    }),
    statements: entries.flatMap(({ happened }, index) =>
      happened.flatMap(splitStatements).map((text, order) => ({ text, at: index + 1, order })),
    ),
  };
}

function splitStatements(paragraph: string): readonly string[] {
  return splitSentences(paragraph).map(({ text }) => oneLine(text, LIMITS.sentence));
}

function stateOf(label = "answered"): RequestState {
  const word = label.toLowerCase();
  if (word.startsWith("stopped")) return "stopped";
  return word === "open" || word === "done" ? word : "answered";
}
