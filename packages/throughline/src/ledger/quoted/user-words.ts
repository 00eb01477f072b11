import { stripInvisible } from "../../internal/text.ts";
import { runSteps } from "../../internal/yield-to-event-loop.ts";
import { findPasted, SAID_BEFORE, WRAPPED } from "./find-pasted.ts";
import { findWrapped, type Span } from "./find-wrapped.ts";

/** A user's message, and the user's own words in it. */
export interface UserWords {
  /** The text without invisible characters. */
  readonly typed: string;
  /** The same text with everything blanked that is pasted, attached, quoted or injected. Offsets are the same. */
  readonly own: string;
  /** The ranges of `typed` that are blanked in `own`. */
  readonly quoted: readonly Span[];
}

/** Line breaks that only some readers recognize. */
const ODD_BREAKS = /[\r\v\f\u0085\u2028\u2029]/g;
/** Placeholder for text that the caller marked as inserted: a private-use character. */
const INSERTED = "\ue000";
/** Brackets and colons of other scripts, with their ASCII equivalents. */
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
/** A quotation within a line. */
const QUOTATION =
  /"[^"\n]{2,400}"|“[^”\n]{2,400}”|„[^“”\n]{2,400}[“”]|«[^»\n]{2,400}»|「[^」\n]{2,400}」|(?<=^|[\s(:,])['‘][^'’\n]{2,400}['’](?=$|[\s).,;:!?])/gm;
const FIRST_PERSON = /\b(?:i|i['’]m|i['’]ve|im|me|my|we|our|us)\b/i;
const THREE_WORDS = /^\S+\s+\S+\s+\S/;
const SENTENCE = /^\S+\s+\S+\s+\S.*[.!?]$|^\S+\s+\S+\s+\S.*[.!?]\s/s;
/** A blanked range, with the line breaks in it. */
const QUOTED = /\ufffc+(?:\s+\ufffc+)*/g;
/** A sentence in code marks is quoted, not stated. */
const CODE_SENTENCE = /(?<!`)`[^`\n]{2,400}`(?!`)/g;

/**
 * Separates the user's own words in a message from quoted text: pasted, attached, or inserted by a client. If in doubt,
 * text counts as quoted. Takes linear time for any input.
 *
 * @param text The message.
 * @param inserted Ranges of the text that the caller knows to be inserted.
 *
 * @example
 * readUserWords("<file>Never run it.</file>\nAlways use tabs.").own.trim(); // "Always use tabs."
 */
export function readUserWords(text: string, inserted: readonly Span[] = []): UserWords {
  return runSteps(userWordsSteps(text, inserted));
}

/** The same in steps, between which other tasks may run. */
export function* userWordsSteps(text: string, inserted: readonly Span[] = []): Generator<undefined, UserWords> {
  const marked = inserted.length === 0 ? text : fill(text.replaceAll(INSERTED, " "), inserted, /[^\n]/g, INSERTED);
  const visible = stripInvisible(marked.replace(ODD_BREAKS, "\n"));
  yield;
  const plain = openString(visible);
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
  return { typed: visible, own: keepTyped(plain, typed), quoted: [...typed.matchAll(QUOTED)].map(toSpan) };
}

/** True if quoted text is unclosed at the end, so that following text would be part of it. */
export function leavesOpen(text: string): boolean {
  return !readUserWords(`${text}\n\nx`).own.endsWith("x");
}

/** Removes quotation marks around a whole message, which a client added. */
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

/** The text with {@link WRAPPED} in place of the spans. Line breaks stay. */
function blank(text: string, spans: readonly Span[]): string {
  return fill(text, spans, /[^\n]/g, WRAPPED);
}

/** The text with one character in place of matching ones within spans. */
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

/** A text with line breaks in place of the blanked parts of its other form. */
function keepTyped(text: string, typed: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { 0: run, index } of typed.matchAll(/\ufffc+/g)) {
    pieces.push(text.slice(from, index), "\n".repeat(run.length));
    from = index + run.length;
  }
  return pieces.join("") + text.slice(from);
}

/** Tags in which clients insert their own text into a user's message. */
const INJECTED =
  /<(\/?)(system-reminder|environment_context|environment_details|user_instructions|permissions instructions|ide_\w{1,40}|command-(?:name|message|args)|turn_aborted|local-command-\w{1,20}|bash-(?:input|stdout|stderr)|task-notification|skill|session-ledger|memories|likely-files)(?=[\s/>])[^<>]{0,400}>/g;

/** First line of a skill that Claude Code sends as a user message. The user's text follows at the end. */
const SKILL = /^\s*Base directory for this skill: /;
const SKILL_ARGUMENTS = "\nARGUMENTS: ";
/** Last lines of a skill in OpenCode. The user's text follows them. */
const SKILL_END = /\nBase directory for this skill: [^\n]{1,4096}\nRelative paths in this skill [^\n]{1,400}(?:\n|$)/;

/** A command that the user typed as a prompt, in the form in which Claude Code records it. */
const PROMPT_COMMAND =
  /^\s*<command-message>[^<]{0,400}<\/command-message>\s*<command-name>\s*([^<\s]{1,200})\s*<\/command-name>(?:\s*<command-args>([\s\S]*)<\/command-args>)?\s*$/;

interface Tag extends Span {
  readonly name: string;
  readonly isClose: boolean;
}

/**
 * A message without text inserted by clients: the request of the user, including quoted text, in contrast to
 * `readUserWords`. An unclosed tag stays, so that no request is lost.
 */
export function withoutInjected(message: string): string {
  const text = typedText(message);
  const tags = [...text.matchAll(INJECTED)].map(({ 0: tag, 1: slash, 2: name = "", index }): Tag => {
    return { name, isClose: slash !== "", start: index, end: index + tag.length };
  });
  const spans = [...Map.groupBy(tags, ({ name }) => name).values()].flatMap(injectedBy);
  let kept = "";
  let from = 0;
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    kept += text.slice(from, Math.max(from, start));
    from = Math.max(from, end);
  }
  return kept + text.slice(from);
}

/** The user's text of a message: without the text of a skill, and a command with its arguments as it was typed. */
export function typedText(text: string): string {
  const [, command, args = ""] = PROMPT_COMMAND.exec(text) ?? [];
  if (command !== undefined) return `${command} ${args}`.trim();
  if (!SKILL.test(text)) {
    const end = SKILL_END.exec(text);
    return end === null ? text : text.slice(end.index + end[0].length).trim();
  }
  const at = text.lastIndexOf(SKILL_ARGUMENTS);
  return at < 0 ? "" : text.slice(at + SKILL_ARGUMENTS.length);
}

/** One span per pair of tags. If the tags are not paired, one span from the first opening to the last closing tag. */
function injectedBy(tags: readonly Tag[]): readonly Span[] {
  const first = tags.findIndex(({ isClose }) => !isClose);
  const last = tags.findLastIndex(({ isClose }) => isClose);
  const inside = first === -1 || last < first ? [] : tags.slice(first, last + 1);
  const isPaired = inside.every(({ isClose }, at) => isClose === (at % 2 === 1));
  if (!isPaired) return [{ start: inside[0]?.start ?? 0, end: inside.at(-1)?.end ?? 0 }];
  return inside.flatMap(({ start, isClose }, at) => (isClose ? [] : [{ start, end: inside[at + 1]?.end ?? start }]));
}
