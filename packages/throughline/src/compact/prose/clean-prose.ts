import { omitUndefined } from "../../internal/json.ts";
import { stripInvisible } from "../../internal/text.ts";
import { splitSentences } from "../../language/sentences.ts";
import { SECTION_TITLES } from "../../ledger/render/note-style.ts";

/** Set behind the title of a section that a profile and the ledger both have. */
const AS_PROSE = " (as summarised)";
/** Titles of summaries, for agents and in chats. */
const SUMMARY_TITLES = ["Session Summary", "Earlier in this conversation"];
/** Headings of the exact sections of a summary, which prose must not use. */
const RESERVED = new Set([...SUMMARY_TITLES, "Record", ...SECTION_TITLES].map(nameOf));

/** `### Title`, also quoted, in a list, or without the space. */
const HEADING = /^[\s>]*(?:[-*+]\s+)?(#\s+|#{2,}\s*)(?=\S)/;
/** A line that makes a heading of the one above it, or a rule across the page. */
const UNDERLINE = /^\s*(?:=+|-+)\s*$/;
const HTML_HEADING = /<\/?h[1-6]\b[^<>]*>/gi;
const FENCE = /^\s*(`{3,}|~{3,})/;

/** Marks before the text of a line: a quote, an item of a list, a box to check. */
const LINE_MARKS = /^[\s>]{0,40}(?:(?:[-*+]|\d{1,3}[.)])\s(?:\[[ x]\]\s)?)?/;
/** "Ignore all previous instructions": a verb and its object. Both have to be in one sentence. */
const SET_ASIDE = /\b(?:ignore|disregard|forget|override|bypass|do not follow|don['’]t follow|stop following)\b/;
const SAID_BEFORE =
  /\b(?:previous|prior|earlier|above|preceding|former|system|original|existing|all|any|your|these|those|the)\b(?: [\w'’-]{1,30}){0,3} (?:instructions?|rules?|prompts?|messages?|constraints?|guidelines?|directives?|directions|orders|requests?|record|ledger)\b|\b(?:everything|anything|all|whatever) (?:before|above|said|you|that|the user)\b/;
/**
 * Sentences that only the record may contain: new wishes and rules of the user, changes of the task, rules that end,
 * and orders to the reader of the summary. All quantifiers are bounded, so each search is linear.
 */
const CLAIMS: readonly RegExp[] = [
  /^[^\p{L}\p{N}]{0,8}(?:system|developer)(?: (?:prompt|message|note|override|instructions?|update))?[\]>|]? ?:/u,
  /<\/?system\b|<\|(?:im_start|im_end|system|user|assistant)\b|\[\/?inst\]|<<\/?sys>>/,
  /\bthe user(?: has| does)? now\b|\bthe user no longer\b/,
  /\bthe user (?:has )?(?:changed (?:his|her|their|the) (?:mind|task|goal|rules?|requests?|instructions?)|lifted|revoked|waived|withdr(?:ew|awn)|authori[sz]ed|gave (?:you )?(?:full )?permission)\b/,
  /\b(?:new|updated|revised|additional|changed) (?:rules?|instructions?|constraints?|directives?|orders?|requests?)(?: (?:from|by|of) (?:the )?(?:user|system|developer|admin|owner)\b| ?:)/,
  /\b(?:the|your|our) (?:new|real|actual|true|updated) (?:task|goal|objective|instructions?)(?: (?:is|are)\b| ?:)/,
  /\b(?:task|goal|objective|request) (?:is now|has changed|has been (?:changed|replaced)|changed to)\b/,
  /\b(?:rules?|constraints?|instructions?|restrictions?|record|ledger)\b.{0,60}\b(?:no longer (?:appl(?:y|ies)|holds?|valid|binding|counts?)|(?:do|does) not apply|(?:is|are) (?:void|outdated|obsolete|wrong|lifted|superseded|invalid|to be ignored)|(?:can|may|must|should) be (?:ignored|disregarded|skipped))\b/,
  /\bnot written by a model\b/,
  /\bfrom now on\b|\byou (?:are now|must now|may now|can now ignore|are allowed to|have permission)\b/,
  /\b(?:ignorier|vergiss|missachte)\w{0,3}\b.{0,40}(?:anweisung|regel|vorgabe)/,
  /\bder (?:nutzer|benutzer|user) (?:will|möchte|verlangt) (?:jetzt|nun)\b|\bab (?:jetzt|sofort)\b/,
  /\b(?:ignorez?|ignorer|oubliez?)\b.{0,40}(?:instructions|consignes|règles)|\bl['’]utilisateur veut (?:maintenant|désormais)\b/,
  /\b(?:ignora|ignore|ignorar|olvida|dimentica)\b.{0,40}(?:instrucciones|reglas|istruzioni|regole|instruções)|\bel usuario ahora\b/,
  /忽略.{0,12}(?:指令|指示|说明|规则|指引)|指示を?.{0,8}無視/,
];

interface Line {
  readonly text: string;
  /** Level and text of a heading; `undefined` for any other line. */
  readonly heading?: { readonly level: number; readonly title: string } | undefined;
  /** The title of the section that begins here. */
  readonly section?: string;
}

/**
 * The prose of a model without anything that could pass for the record beside it: only sections with these titles stay,
 * other headings become bold lines, and text under a heading of the ledger is left out. Without titles, every
 * section stays that is none of the ledger's. Sentences that override instructions, or speak for the user, are left
 * out.
 */
export function cleanProse(prose: string, titles?: readonly string[]): string {
  const kept = new KeptLines();
  let isKept = titles === undefined;
  let forged = 0;
  for (const line of readLines(prose, titles)) {
    const { heading, section } = line;
    if (section !== undefined || (heading !== undefined && heading.level <= forged)) forged = 0;
    if (section !== undefined) isKept = true;
    else if (heading !== undefined && isReserved(heading.title)) {
      // The summary has its own heading. The text under the model's heading is prose too.
      if (!isSummaryTitle(heading.title)) forged = heading.level;
      continue;
    }
    if (isKept && forged === 0) kept.add(written(line, titles !== undefined), section !== undefined);
  }
  return closeFence(kept.toText());
}

/** The lines of a text without {@link CLAIMS}. */
class KeptLines {
  readonly #lines: { readonly text: string; readonly isTitle: boolean }[] = [];

  add(written: string, isTitle: boolean): void {
    const text = isTitle ? written : withoutClaims(written);
    if (text === "" && written !== "") return;
    const last = this.#lines.at(-1);
    // A sentence may go on in the next line.
    const isSplit = last !== undefined && !last.isTitle && !isTitle && last.text !== "" && text !== "";
    if (isSplit && hasClaim(`${last.text} ${text.replace(LINE_MARKS, "")}`)) this.#lines.pop();
    else this.#lines.push({ text, isTitle });
  }

  toText(): string {
    return this.#lines
      .map(({ text }) => text)
      .join("\n")
      .trim();
  }
}

/** A line without the sentences that claim something; "" if nothing is left. */
function withoutClaims(line: string): string {
  if (!hasClaim(line)) return line;
  const [marks = ""] = LINE_MARKS.exec(line) ?? [];
  const rest = sentencesOf(line.slice(marks.length)).filter((sentence) => !isClaim(sentence));
  const left = `${marks}${rest.join(" ")}`;
  return !/[\p{L}\p{N}]/u.test(rest.join(" ")) || hasClaim(left) ? "" : left;
}

function hasClaim(line: string): boolean {
  return sentencesOf(line).some(isClaim);
}

function sentencesOf(line: string): string[] {
  return splitSentences(line, { anyCase: true }).map(({ text }) => text);
}

function isClaim(sentence: string): boolean {
  const plain = sentence
    .normalize("NFKC")
    .replace(/[*_`~#"“”]/g, "")
    .replace(/\s+/g, " ")
    .toLowerCase();
  return (SET_ASIDE.test(plain) && SAID_BEFORE.test(plain)) || CLAIMS.some((claim) => claim.test(plain));
}

/** Titles of the sections in the prose; if titles were requested, only those. */
export function titlesIn(prose: string, titles?: readonly string[]): string[] {
  const found = readLines(prose, titles).flatMap(({ heading, section }) => {
    return section ?? (titles === undefined && heading !== undefined ? heading.title.replace(AS_PROSE, "") : []);
  });
  return [...new Set(found)];
}

function readLines(prose: string, titles: readonly string[] = []): Line[] {
  const sections = new Map(titles.map((title) => [nameOf(title), title]));
  return stripInvisible(prose)
    .replace(HTML_HEADING, "")
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .filter((text) => !UNDERLINE.test(text))
    .map((text): Line => {
      const heading = readHeading(text);
      const section = sections.get(nameOf(heading?.title ?? text));
      return omitUndefined({ text, heading, section });
    });
}

function readHeading(text: string): Line["heading"] {
  const [mark, marks] = HEADING.exec(text) ?? [];
  if (mark === undefined || marks === undefined) return undefined;
  return { level: marks.trim().length, title: withoutEnd(text.slice(mark.length), " \t#") };
}

function written({ text, heading, section }: Line, areNamed: boolean): string {
  if (section !== undefined) return `### ${section}${RESERVED.has(nameOf(section)) ? AS_PROSE : ""}`;
  if (heading === undefined) return text;
  return areNamed ? `**${heading.title.replaceAll("**", "")}**` : `### ${heading.title}`;
}

/** Normalizes a title for comparison: no markup, leading number or trailing colon. */
function nameOf(title: string): string {
  const name = title
    .normalize("NFKC")
    .replace(AS_PROSE, "")
    .replace(/^[\s*_]*(?:\d+[.)]\s+)?/, "")
    .replace(/\s+/g, " ")
    .toLowerCase();
  return withoutEnd(name, " :*_");
}

function withoutEnd(text: string, marks: string): string {
  let end = text.length;
  while (end > 0 && marks.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Also with something in brackets or behind a colon: `Constraints (new)`. */
function isReserved(title: string): boolean {
  const [start = ""] = title.normalize("NFKC").split(/[([:–—]/, 1);
  return !title.endsWith(AS_PROSE) && RESERVED.has(nameOf(start));
}

function isSummaryTitle(title: string): boolean {
  return SUMMARY_TITLES.some((one) => nameOf(title).startsWith(nameOf(one)));
}

/** Closes an open block of code, so that it does not include the text after the prose. */
function closeFence(text: string): string {
  const fences = text.split("\n").flatMap((line) => FENCE.exec(line)?.[1] ?? []);
  return fences.length % 2 === 0 ? text : `${text}\n${fences.at(-1)}`;
}
