import { stripInvisible } from "../../internal/one-line.ts";
import { runSteps } from "../../internal/yield-to-event-loop.ts";
import { findPasted, WRAPPED } from "./find-pasted.ts";
import { findWrapped, type Span } from "./find-wrapped.ts";
import { SAID_BEFORE } from "./introductions.ts";

/** What a message says, and what of it is the user's own. */
export interface UserWords {
  /** The text without invisible characters. */
  readonly said: string;
  /** The same with everything blanked that is pasted, attached, quoted or injected. Positions are those of `said`. */
  readonly own: string;
  /** Where `said` is blanked in `own`. */
  readonly quoted: readonly Span[];
}

/** Breaks that some readers see and others do not. */
const ODD_BREAKS = /[\r\v\f\u0085\u2028\u2029]/g;
/** Stands for what the caller says was inserted; a character that means nothing to anybody else. */
const INSERTED = "\ue000";
/** Brackets and colons of other scripts, as they are read. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  "\uff1c": "<",
  "\ufe64": "<",
  "\u2039": "<",
  "\u3008": "<",
  "\u27e8": "<",
  "\u276e": "<",
  "\uff1e": ">",
  "\ufe65": ">",
  "\u203a": ">",
  "\u3009": ">",
  "\u27e9": ">",
  "\u276f": ">",
  "\uff0f": "/",
  "\u2215": "/",
  "\u2044": "/",
  "\uff1a": ":",
  "\ufe55": ":",
  "\ua789": ":",
  "\u2236": ":",
  "\uff40": "`",
  "\u02cb": "`",
  "\uff02": '"',
  "\u00a0": " ",
  "\u3000": " ",
  [WRAPPED]: " ",
};
const LOOKALIKE = new RegExp(`[${Object.keys(LOOKALIKES).join("")}]`, "g");
const LINK = /(?<!!)\[([^[\]]{2,400})\](?:\([^()]{0,400}\)|\[[^[\]]{0,200}\])/g;
const IMAGE = /!\[[^[\]]{0,400}\](?:\([^()]{0,400}\)|\[[^[\]]{0,200}\])?/g;
const LINK_TITLE = /\]\(\s{0,8}[^()\s]{0,400}\s{1,8}(["'])[^\n()]{0,400}\)/g;
/** A quotation in a line. */
const QUOTATION =
  /"[^"\n]{2,400}"|“[^”\n]{2,400}”|„[^“”\n]{2,400}[“”]|«[^»\n]{2,400}»|「[^」\n]{2,400}」|(?<=^|[\s(:,])['‘][^'’\n]{2,400}['’](?=$|[\s).,;:!?])/gm;
const FIRST_PERSON = /\b(?:i|i['’]m|i['’]ve|im|me|my|we|our|us)\b/i;
const THREE_WORDS = /^\S+\s+\S+\s+\S/;
const SENTENCE = /^\S+\s+\S+\s+\S.*[.!?]$|^\S+\s+\S+\s+\S.*[.!?]\s/s;
/** A stretch that is blanked, with the breaks in it. */
const QUOTED = /\ufffc+(?:\s+\ufffc+)*/g;
/** Sentences in code marks are shown and not said. */
const CODE_SENTENCE = /(?<!`)`[^`\n]{2,400}`(?!`)/g;

/**
 * Tells what in a user's message is the user's own words from what is quoted in it: pasted, attached, or put there by a
 * client. In doubt it is quoted. Takes time in proportion to the text, whatever is in it.
 *
 * @param inserted the stretches of the text of which the caller knows that nobody said them
 * @example
 * readUserWords("<file>Never run it.</file>\nAlways use tabs.").own.trim(); // "Always use tabs."
 */
export function readUserWords(text: string, inserted: readonly Span[] = []): UserWords {
  return runSteps(userWordsSteps(text, inserted));
}

/** The same in steps, between which other tasks may run. */
export function* userWordsSteps(text: string, inserted: readonly Span[] = []): Generator<undefined, UserWords> {
  const marked = inserted.length === 0 ? text : fill(text.replaceAll(INSERTED, " "), inserted, /[^\n]/g, INSERTED);
  const said = stripInvisible(marked.replace(ODD_BREAKS, "\n"));
  yield;
  const plain = openString(said);
  const read = plain.replace(LOOKALIKE, (char) => LOOKALIKES[char] ?? char);
  const scanned = inserted.length === 0 ? read : read.replaceAll(INSERTED, WRAPPED);
  yield;
  const unwrapped = blank(scanned, findWrapped(scanned));
  yield;
  const inline = findInline(unwrapped);
  yield;
  // A colon inside of a quotation announces nothing.
  const typed = blank(unwrapped, [...inline, ...(yield* findPasted(fill(unwrapped, inline, /:/g, " ")))]);
  yield;
  return { said, own: keepTyped(plain, typed), quoted: [...typed.matchAll(QUOTED)].map(toSpan) };
}

/** Whether a text that is quoted would go on in what follows. */
export function leavesOpen(text: string): boolean {
  return !readUserWords(`${text}\n\nx`).own.endsWith("x");
}

/** A message that is one string from its first to its last character has its quotation marks from a client. */
function openString(text: string): string {
  const trimmed = text.trim();
  const inner = trimmed.slice(1, -1);
  const isString = trimmed.length > 2 && trimmed.startsWith('"') && trimmed.endsWith('"');
  if (!isString || /(?<!\\)"|\\$/.test(inner)) return text;
  return text.replace(trimmed, () => ` ${inner} `);
}

function findInline(text: string): readonly Span[] {
  const found = [IMAGE, LINK_TITLE].flatMap((pattern) => [...text.matchAll(pattern)].map(toSpan));
  const quotations = [...text.matchAll(QUOTATION)].filter(({ 0: quotation, index }) => {
    const words = quotation.slice(1, -1).trim();
    const before = text.slice(Math.max(0, index - 60), index);
    return FIRST_PERSON.test(words) || SENTENCE.test(words) || (THREE_WORDS.test(words) && SAID_BEFORE.test(before));
  });
  const links = [...text.matchAll(LINK)].filter(({ 1: words = "", index }) => {
    return THREE_WORDS.test(words) && (SENTENCE.test(words) || text.charAt(index - 1) === "\n" || index === 0);
  });
  const codes = [...text.matchAll(CODE_SENTENCE)].filter(({ 0: code }) => SENTENCE.test(code.slice(1, -1).trim()));
  return [...found, ...[...quotations, ...links, ...codes].map(toSpan)];
}

function toSpan({ 0: found, index }: RegExpExecArray): Span {
  return { start: index, end: index + found.length };
}

/** The text with {@link WRAPPED} in place of spans; breaks stay, so that lines stay lines. */
function blank(text: string, spans: readonly Span[]): string {
  return fill(text, spans, /[^\n]/g, WRAPPED);
}

/** The text with a character in place of others within spans. */
function fill(text: string, spans: readonly Span[], what: RegExp, by: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (end <= from) continue;
    const begin = Math.max(start, from);
    pieces.push(text.slice(from, begin), text.slice(begin, end).replace(what, by));
    from = end;
  }
  return pieces.join("") + text.slice(from);
}

/** A text with breaks wherever its other form is blanked. */
function keepTyped(text: string, typed: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { 0: run, index } of typed.matchAll(/\ufffc+/g)) {
    pieces.push(text.slice(from, index), "\n".repeat(run.length));
    from = index + run.length;
  }
  return pieces.join("") + text.slice(from);
}
