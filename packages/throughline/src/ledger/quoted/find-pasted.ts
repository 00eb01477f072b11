import type { Span } from "./find-wrapped.ts";
import { announcesBehindDash, announcesText, isTitle, MAX_LEAD, SAID_BEFORE } from "./introductions.ts";

/** Placeholder for wrapped text. */
export const WRAPPED = "\ufffc";

/** Headings of memories and summaries that clients insert into a conversation. */
const RECALLED =
  /^\s{0,3}#{1,6} +(?:what you know about|(?:relevant |recalled |saved )?memor(?:y|ies)\b|user (?:profile|facts)\b)/i;
const SUMMARY =
  /^\s{0,3}#{1,6} +(?:session summary|conversation summary|ledger|previous (?:conversation|session|context))\b/i;
/** Lines of such a block: entries, labels, other headings, and blank lines. */
const BLOCK_LINE = /^\s*(?:$|[-*+•] |#{1,6} |\d+[.)] |[^.!?]{1,60}:\s*$)/;
const LIST_ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)]) /;
const BLOCKQUOTE = /^\s*>(?!=)/;
/** Lines that are not sentences of the user: rows of tables, footnotes, definitions of links, headings. */
const FOREIGN_LINE = /^\s*(?:\|(?!\|\|)|\*?\[\^?[^\]\n]{1,80}\]:|#{1,6} )|\t[^\t\n]*\t/;
const INDENTED = /^(?: {4}|\t| {1,3}\t)/;

/**
 * Characters with which people begin a line: letters, digits, emoji, bullets, quotation marks, emphasis, code,
 * mentions, small signs. Other characters belong to formats and programs.
 */
const SPOKEN_START =
  /^\s*(?:[\p{L}\p{N}\p{M}\p{Extended_Pictographic}\ufffc("'“”‘’„«「『¿¡`@/…~&^]|[-*+•–—] |[*_]{1,3}[^\s*_]|[-*] ?\[|#{1,6} |\.{2,}|[-+$€£]\d|[:;][-)(DP]|<3|[-=]>|→|!\[|\[[ xX]\]|\[(?:Image|Pasted)\b|\[[^\]\n]{1,200}\]\()/u;
/** A run of one character, which separates a text. */
const RUN = /^\s*([-=_─━═+*~%$|&^@:;<>#])\1{2,}/;
const SPACED_RUN = /^\s*(?:[-*_] ){3,}\s*$/;
/** Emphasized words after a run. */
const EMPHASIZED = /^[#*_]{0,6}[\p{L}\p{N}][^\n]{0,300}\*\*\*/u;

/** Lines written by programs, and first lines of documents, mails or conversations of others. */
const NOT_SPEECH: readonly RegExp[] = [
  // Prompts of shells and interpreters, and commands that print a text.
  /^\s*(?:[A-Z]:\\|PS [A-Z]:|[\w.-]{1,40}@[\w.-]{1,60}[:~ ][^\n$#%]{0,120}[$#%] |In \[\d+\]:|Out\[\d+\]:|(?:cat|head|tail|less|bat|curl|wget|grep|rg|sed|awk|type|echo) [^\s,!?]{1,120}[^\s,.!?](?:\s[^,.!?\n]{0,120})?$|[\w-]{1,20} [^\n]{0,80}<<-?['"]?[A-Z]{2,})/,
  // Changes to files, search results and numbered lines.
  /^(?:diff --git |Index: \S|commit [0-9a-f]{7,40}\b)|^\s*[\w@~./\\-]{1,200}\.\w{1,6}:\d+[:\s]|^\s*\d{1,6}\s?(?:[|│→]|:\s|\t)/,
  // Logs.
  /^\s*(?:\d{4}[-/]\d\d[-/]\d\d[T ,]|\d{1,2}[./]\d{1,2}[./]\d{2,4},? )\d{1,2}:\d\d|^\s*\d{1,2}:\d\d:\d\d|^(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|NOTICE)[\s:|[]|^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d /,
  // Errors.
  /^\s*(?:Traceback \(|at \S{1,200} ?\(|at [\w$.<>/]{1,200}:\d+|File "[^"\n]{1,300}", line \d+|[\w.]{0,60}(?:Error|Exception)(?: \[\w{1,40}\])?: |Caused by: |panic: |(?:error|warning|fatal)(?:\[\w+\]|\(\w+\))?: |npm (?:ERR!|error|warn) |thread '[^'\n]{1,80}' panicked)/,
  // Speakers in a conversation.
  /^\s*(?:[-*#]{1,6}\s*)?[*_]{0,2}(?:user|assistant|human|ai|system|developer|bot|chatgpt|gpt(?:-\w+)?|claude|gemini|copilot|tool|function|model|me|you|agent|customer|interviewer|speaker \d)(?: \([^)\n]{1,30}\))?[*_]{0,2}\s?[:>][*_]{0,2}(?:\s|$)/i,
  /^\s*\d{1,2}:\d\d(?: ?[AP]M)?\s+(?:[-–] )?[\p{L}][\p{L}\p{N} .'_-]{0,40}:|^\p{Lu}[\p{L}.'-]{0,30}(?: \p{Lu}[\p{L}.'-]{0,30}){0,2},?\s+\[?\d{1,2}:\d\d(?: ?[AP]M)?\]?\s*$/u,
  // Mails.
  /^\s*[*_]{0,2}(?:from|to|cc|bcc|sender|reply-to|return-path|von|an|de|para|da|van)[*_]{0,2} ?: ?[*_]{0,2}[^\n]{0,120}\S@\S|^\s*[*_]{0,2}(?:subject|betreff|objet|asunto|oggetto|assunto|onderwerp|message-id|gesendet|sent|x-[\w-]{1,40}|received|mime-version|content-type|content-transfer-encoding)[*_]{0,2} ?:|^\s*(?:fwd?|re|aw|wg|tr): \S|^\s*forwarded from |^(?:best|kind|warm) regards\b|^h[1-6]\. |^(?:todo|fixme|xxx|hack)\(/i,
  // Data, settings and code.
  /^\s*(?:export )?[A-Z][A-Z0-9_]{2,}=|^\s*["']?[a-z_][\w.-]{0,40}["']?:\s*[|>][-+]?\s*$|^\s*[a-z_][\w.-]{0,40} ?= ?["'[{\d]|^(?:BEGIN|END|START)\b[ :](?:OF )?[A-Z]|^HTTP\/\d|^(?:GET|POST|PUT|PATCH|DELETE|HEAD) \/|^=(?:begin|pod|head)/,
  /^\s*(?:\/\/|\/\*|import \S.{0,200} from ["']|import ["'{]|from [\w.]{1,80} import |(?:export |public |private |protected |static |async |default |pub ){0,4}(?:(?:const|let|var) [\w$]{1,60}(?: ?:[^=\n]{0,80})? ?=|(?:function|def|fn|func) [\w$]{1,60} ?[(<]|(?:class|interface|struct|enum|trait|impl|type) [\w$]{1,60}[^\n]{0,80}[{=:]\s*$)|SELECT \S.{0,200} FROM )/i,
];
/** The salutation of a letter, below the user's words about it. */
const SALUTATION =
  /^\s*(?:dear|hi|hello|hey|sehr geehrte[rs]?|liebe[rs]?|hallo|bonjour|estimad[oa]|gentile)\b[^.!?\n]{0,40},\s*$/i;
const KEY_LINE = /^\s{0,8}(?:- )?["']?[a-z_][\w.-]{0,40}["']?:(?!\/\/) ?(?:\S|$)/;
const MAIL_HEADER = /^\s*[*_]{0,2}(?:from|to|cc|date|von|an|datum|de|à|para|fecha|sender)[*_]{0,2} ?: ?\S/i;
/** Beginnings and ends of data in JSON. */
const JSON_LINE = /^\s*(?:[{[]\s*(?:$|["'{[])|"[^"\n]{1,80}"\s*:)/;
const JSON_END = /^\s*[\]}][\]},;)]*\s*$|[\]}]\s*$/;
/** Maximum number of empty lines between an introduction and its text. */
const MAX_GAP = 3;
/** A colon, or a dash or an arrow in its place. */
const COLON = /:(?=[\s"'“”«*_`\p{Lu}]|$)|(?<=\s)(?:[—–-]|[-=]>|→)(?=\s)/gu;
/** Maximum number of empty lines. Text after a larger gap may be hidden from the user. */
const MAX_EMPTY_LINES = 10;
const GAP = /[ \t]{80}/;
const MAX_COLONS = 40;
const MAX_QUOTED = 404;
/** A quotation in the middle of a sentence. */
const GOES_ON = /^\s{0,3}(?:"[^"\n]{1,400}"|“[^”\n]{1,400}”|`[^`\n]{1,400}`)(?:[,;)]|\s+[a-z])/;
/** Quotations over several lines: opening and closing characters. */
const CLOSINGS: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ["“", "”"],
  ["„", "“"],
  ["«", "»"],
  ["「", "」"],
  ["『", "』"],
  ["‘", "’"],
];
/** Number of lines that are read in one step. */
const STEP = 500;
const DATA_URI = /\bdata:[\w.+-]{1,60}\/[\w.+-]{1,60}[;,]/i;

interface Line extends Span {
  readonly text: string;
  readonly isBlank: boolean;
}

/** State from the preceding lines. */
interface State {
  block: "none" | "recalled";
  emptyLines: number;
  isLazy: boolean;
  isInList: boolean;
}

/**
 * Finds spans that were pasted without a wrapper. Wrapped texts are already blanked as {@link WRAPPED}. Pasted text has
 * no marked end, so most spans reach to the end of the message. Other tasks may run between steps.
 */
export function* findPasted(text: string): Generator<undefined, readonly Span[]> {
  const lines = readLines(text);
  yield;
  const spans: Span[] = [];
  const state: State = { block: "none", emptyLines: 0, isLazy: false, isInList: false };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as Line;
    if (at % STEP === STEP - 1) yield;
    const start = line.isBlank || isWrapped(line.text) ? undefined : restStart(lines, at, state);
    if (start !== undefined) {
      const end = restEnd(lines, at, text.length);
      spans.push({ start, end });
      if (end === text.length) return spans;
      while ((lines[at + 1]?.start ?? text.length) < end) at += 1;
      continue;
    }
    if (isForeign(line, state)) spans.push(line);
    remember(line, state);
  }
  return spans;
}

function readLines(text: string): readonly Line[] {
  const lines: Line[] = [];
  for (let start = 0; start <= text.length; ) {
    const next = text.indexOf("\n", start);
    const end = next === -1 ? text.length : next;
    const line = text.slice(start, end);
    lines.push({ start, end, text: line, isBlank: line.trim() === "" });
    start = end + 1;
  }
  return dedent(lines);
}

/** Removes indentation that all lines share, because it does not mark code then. */
function dedent(lines: readonly Line[]): readonly Line[] {
  const depths = lines.filter(({ isBlank, text }) => !isBlank && !isWrapped(text)).map(({ text }) => text.search(/\S/));
  const depth = depths.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY);
  if (depth === 0 || !Number.isFinite(depth)) return lines;
  return lines.map((line) => ({
    ...line,
    start: Math.min(line.start + depth, line.end),
    text: line.text.slice(depth),
  }));
}

/** True if a line contains only wrapped text. */
function isWrapped(line: string): boolean {
  return line.includes(WRAPPED) && line.replaceAll(WRAPPED, "").trim() === "";
}

function beginsWrapped(line: string): boolean {
  return line.trimStart().startsWith(WRAPPED);
}

function isRuled(text: string): boolean {
  const [run] = RUN.exec(text) ?? [];
  return run === undefined ? SPACED_RUN.test(text) : !EMPHASIZED.test(text.slice(run.length));
}

/** Offset in a line at which a pasted text starts. */
function restStart(lines: readonly Line[], at: number, state: State): number | undefined {
  const { text, start } = lines[at] as Line;
  const next = lines[at + 1];
  if (isRuled(text) || state.emptyLines >= MAX_EMPTY_LINES) return start;
  if (at > 0 && SALUTATION.test(text)) return start;
  if (BLOCKQUOTE.test(text)) return undefined;
  if (SUMMARY.test(text) || JSON_LINE.test(text) || NOT_SPEECH.some((one) => one.test(text))) return start;
  if (!SPOKEN_START.test(text) && !FOREIGN_LINE.test(text)) return start;
  if (next !== undefined && [KEY_LINE, MAIL_HEADER].some((one) => one.test(text) && one.test(next.text))) return start;
  if (
    state.block === "none" &&
    next !== undefined &&
    !RECALLED.test(text) &&
    isTitle(text) &&
    !isBeforeWrapped(lines, at + 1)
  )
    return start;
  const found = [
    openQuotation(text)?.at,
    DATA_URI.exec(text)?.index,
    GAP.exec(text)?.index,
    introductionEnd(lines, at),
  ];
  const first = found.reduce((least = Number.POSITIVE_INFINITY, one = Number.POSITIVE_INFINITY) =>
    Math.min(least, one),
  );
  return first === undefined || first === Number.POSITIVE_INFINITY ? undefined : start + first;
}

/** JSON data ends with its last bracket, and a quotation with its closing character. Other pasted text has no end. */
function restEnd(lines: readonly Line[], at: number, length: number): number {
  const { text = "" } = lines[at] ?? {};
  if (JSON_LINE.test(text)) {
    const last = lines.findLast((line, index) => index >= at && JSON_END.test(line.text));
    return last?.end ?? length;
  }
  const closing = openQuotation(text)?.closing;
  if (closing === undefined) return length;
  return lines.findLast((line, index) => index > at && line.text.includes(closing))?.end ?? length;
}

/** A quotation that a line opens and does not close. */
function openQuotation(text: string): { readonly at: number; readonly closing: string } | undefined {
  for (const [opening, closing] of CLOSINGS) {
    const at = text.lastIndexOf(opening);
    if (at === -1) continue;
    const isOpen = opening === closing ? text.split(opening).length % 2 === 0 : !text.includes(closing, at + 1);
    const isFirst = text.slice(0, at).trim() === "" && at + 1 < text.trimEnd().length;
    if (isOpen && (isFirst || (opening !== "‘" && SAID_BEFORE.test(text.slice(Math.max(0, at - 80), at)))))
      return { at, closing };
  }
  return undefined;
}

function isBeforeWrapped(lines: readonly Line[], from: number): boolean {
  const next = lines.slice(from, from + MAX_GAP).find(({ isBlank }) => !isBlank);
  return next !== undefined && beginsWrapped(next.text);
}

/** End of the first words in a line that announce a text, unless that text is wrapped, or a quotation in a sentence. */
function introductionEnd(lines: readonly Line[], at: number): number | undefined {
  const { text } = lines[at] as Line;
  let count = 0;
  for (const { 0: sign, index } of text.matchAll(COLON)) {
    count += 1;
    const end = index + sign.length;
    if (count > MAX_COLONS) return end;
    const lead = sentenceBefore(text.slice(Math.max(0, index - MAX_LEAD), index));
    const after = text.slice(end, end + MAX_QUOTED);
    const isBelow = after.trim() === "";
    const isAnnounced = sign === ":" ? announcesText(lead, isBelow) : announcesBehindDash(lead);
    if (!isAnnounced || GOES_ON.test(after)) continue;
    if (isBelow ? !isBeforeWrapped(lines, at + 1) : !beginsWrapped(after)) return end;
  }
  return undefined;
}

/** The words of the last sentence. A period inside of a file name does not end one. */
function sentenceBefore(text: string): string {
  const ends = [...text.matchAll(/[.!?;]["')]?\s+/g)];
  const last = ends.at(-1);
  return last === undefined ? text : text.slice(last.index + last[0].length);
}

/** True if a line is not by the user, although the next one may be. */
function isForeign({ text, isBlank }: Line, state: State): boolean {
  if (isBlank) return false;
  if (RECALLED.test(text)) state.block = "recalled";
  else if (state.block === "recalled" && state.emptyLines > 0 && !BLOCK_LINE.test(text)) state.block = "none";
  if (state.block === "recalled" || BLOCKQUOTE.test(text) || FOREIGN_LINE.test(text)) return true;
  if (state.isLazy && !isWrapped(text)) return true;
  return INDENTED.test(text) && !state.isInList;
}

function remember({ text, isBlank }: Line, state: State): void {
  const wasLazy = state.isLazy;
  state.emptyLines = isBlank ? state.emptyLines + 1 : 0;
  state.isLazy = !isBlank && !isWrapped(text) && (wasLazy || BLOCKQUOTE.test(text) || /^\s*\[\^/.test(text));
  if (LIST_ITEM.test(text) && (state.isInList || !INDENTED.test(text))) state.isInList = true;
  else if (!isBlank && !/^\s/.test(text)) state.isInList = false;
}
