import type { Span } from "./find-wrapped.ts";

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

/** Sources of a text: files, pages, mails, programs. */
const SOURCE = new RegExp(
  String.raw`\b(?:${[
    "contents?|read ?me|files?|pages?|web ?pages?|web ?sites?|sites?|wiki|articles?|posts?|blog|docs?|documents?|documentation",
    "e-?mails?|mails?|letters?|threads?|newsletter|logs?|outputs?|results?|responses?|repl(?:y|ies)|answers?|stdout|stderr",
    "(?:stack ?)?traces?|traceback|errors?|warnings?|messages?|snippets?|excerpts?|passages?|paragraphs?|transcripts?|paste",
    "clipboard|issues?|tickets?|comments?|changelog|specs?|specification|prompts?|config(?:uration)?|diffs?|patch|texts?",
    "quotes?|quotation|chats?|conversations?|history|dump|summary|notes?|attachments?|screenshots?|observations?|sources?|data",
    "code|scripts?|functions?|quer(?:y|ies)|json|yaml|xml|html|csv|markdown|table|instructions|description|slack|tweet|review",
  ].join("|")})\b`,
  "i",
);
/** Words that begin an announcement. */
const ANNOUNCES =
  /^\W{0,4}(?:(?:ok(?:ay)?|so|and|also|well|now|hi|hello|hey|but|please),? ){0,3}(?:here|below|attached|above|(?:this|that|these|those) (?:is|are|was|were)|see|look|read|check|consider|given|regarding|re|from|per|according|as per|fyi|past(?:e|ed|ing)|cop(?:y|ied)|quoting|found|got|received|source|(?:i|we)(?:['’]ve| have)? (?:just )?(?:got|get|found|see|saw|received|copied|asked|ran|tried|pasted|looked|have)|it|the following|what (?:does|do|is|about))\b/i;
/** An announcement without a noun. */
const POINTS =
  /^\W{0,4}(?:(?:ok(?:ay)?|so|and|also),? )?(?:here(?: you go| it is| we go| goes)?|see(?: below| this| here)?|look(?: at this| here)?|this|below|as follows|fyi|(?:i )?(?:found|got|saw|read|see) this|check this(?: out)?|read this|the following|from (?:the|my|a) [\w-]+)\W{0,3}$/i;
/** The name of a source alone: "Search results", "Contents of notes.txt", "The error message". */
const TITLE =
  /^\W{0,6}(?:(?:the|a|an|my|our|your|his|her|their|this|that|some|full|raw|complete|current|latest|relevant|tool|function|page|file|web|error|search|log|command|console|terminal|test|api|http|server|shell|build|compiler|chat|pasted|attached|retrieved|pr|pull request|issue|project|product|release|mit|apache) ){0,4}(?:contents?|outputs?|stdout|stderr|results?|responses?|trace(?:back)?|stack ?trace|logs?|transcripts?|excerpts?|snippets?|read ?me(?:\.\w+)?|files?|pages?|web ?pages?|web ?sites?|articles?|documents?|documentation|e-?mails?|mails?|clipboard|paste|attachments?|quotes?|quotation|sources?|dump|diffs?|patch|observations?|error|errors|error message|issues?|tickets?|threads?|conversations?|history|text|search|transcriptions?|captions?|ocr|translations?|descriptions?|release notes|change ?log|licen[cs]e|abstract|overview|steps to reproduce|commit message)(?: ?[#(]?\d{1,4}\)?)?(?: (?:of|from|for|in|on|at|by|about|is|was|below|here)\b.{0,120}| ["'`*(]?[\w./\\-]{1,80}["'`*)]?)?\W{0,4}$/i;
/** A location that a text comes from. */
const PLACE =
  /^\W{0,4}(?:in|on|inside|within) (?:the |your |our |my |this |that )?(?:[\w-]+ )?(?:read ?me|wiki|articles?|e-?mails?|mails?|web ?sites?|logs?|issues?|tickets?|threads?|docs?|documentation)\b.{0,60}$/i;
/** A verb that introduces the words of another person. */
const SAYS =
  /\b(?:says?|said|saying|reads|wrote|writes|states|stated|replie[sd]|answered|tells? (?:me|us)|told (?:me|us)|reported|posted|commented|sent(?: me| us)?|asked|quoted|responded|suggests|suggested|forwarded message|schrieb|schreibt|sagt|steht|écrit|dit|dice|escribió|scrisse|scrive)(?: (?:this|that|the following|below|here|back|so|me|us))?[\s,*_]*$/i;
/** A verb that introduces the content of something. */
const SHOWS =
  /\b(?:returns?|returned|prints?|printed|shows?|showed|contains?|outputs?|gives? (?:me|us)|gave (?:me|us)|displays?|logged|(?:i|we|it) (?:gets?|got|see|saw|read))(?: (?:this|that|the following|below|here|back))?[\s,*_]*$/i;
const SAID_MYSELF =
  /\b(?:i|we)(?:['’]ve| have| had)?(?: already| just| once| always)? (?:said|told|wrote|asked|mentioned|say|repeat)\b/i;
/** The name of a file. */
const NAMED = /(?:^|[\s`"'(*[])(?:[\w@~./\\-]{0,100}[\w-]\.[a-z][a-z0-9]{0,5})[`"')*\]]*\s*$/i;
const ADDRESS = /https?:\/\/\S{1,200}\s*$/i;
/** An operation on the text that follows. */
const WORK_ON =
  /\b(?:translate|proof-?read|rewrite|rephrase|paraphrase|reword|edit|summari[sz]e|tl;?dr|polish|shorten|analy[sz]e|classify|correct|improve|review|explain|debug|answer|reply|respond|comment on|interpret|parse|extract|grammar|wording|spelling|typos|sound better)\b[^:\n.?!]{0,80}$/i;
/** A text that the user found or received. */
const CAME_UPON =
  /\b(?:found|saw|seen|read|got|copied|received|posted|sent) (?:this|these|the following)\b[^:\n.?!]{0,60}$/i;
/** Words addressed to machines in general. */
const TO_MACHINES =
  /\b(?:to|for) (?:all |any |the )?(?:ai|llms?|assistants?|(?:ai |language )?models?|agents?|bots?|ai assistants?)\W*$/i;
/** Operations on prose only, not on code. */
const TEXT_WORK =
  /^(?:(?:please|can you|could you|now|ok(?:ay)?),? ){0,3}(?:translate|proof-?read|rephrase|paraphrase|reword|summari[sz]e|tl;?dr|polish|shorten)\b|\b(?:explain|review|check|edit|correct|improve|debug|answer|read|see|analy[sz]e) (?:this|these|the following)\W{0,3}$|\bwhat does this mean\W{0,3}$/i;
/** Explicit wishes of the user. */
const WILL =
  /\b(?:what|how|things?|everything|all) (?:i|we) (?:want|need|expect|prefer|like|care)\b|\b(?:my|our) (?:[\w-]+ ){0,2}(?:rules?|preferences?|requirements?|conventions?|guidelines?|constraints?|wishes|requests?|expectations?|tasks?|goals?|plans?)\b/i;
const ORDERS =
  /^\W{0,4}(?:(?:please|and|but|also|so|ok(?:ay)?),? ){0,3}(?:always|never|do not|don['’]t|make sure|ensure|use|prefer|avoid|remember|keep in mind|only|stop|from now on|in (?:the )?future|(?:i|we)(?:['’]re| are| am|['’]m)? (?:prefer|want|like|always|never|use|using|work|need|decided))\b/i;
/** Products whose names look like files: Node.js. */
const PRODUCT = /(?:^|\s)[A-Z][a-z]+\.(?:js|io|ai|net|dev)\W*$/;
const FILE_NAME = /^[\w@~./\\-]{0,100}[\w-]\.[a-z][a-z0-9]{0,5}$/i;
/** Titles of sections with the user's own wishes. */
const OWN_TITLE =
  /\b(?:rules?|preferences?|requirements?|conventions?|guidelines?|constraints?|instructions?|tasks?|goals?|objectives?|role|style|about me|context|background|plan|request|question|summary|problem|approach|changes?|behaviou?r|expected|todo|reminders?|important|remember)\b/i;
/** A sentence that announces a text. */
const IN_A_SENTENCE =
  /^(?:ok(?:ay)?,? |so,? |and |also,? )?(?:here(?:['’]s| is| are)|below (?:is|are)|attached|past(?:ed|ing)|see (?:the |my )?(?:attached|below)|(?:i|we)(?:['’]ve| have)? (?:attached|pasted|copied|included)|this is (?:what|the)|the following)\b/i;
/** Announcements in other languages. A text announced as rules is by the user. */
const ELSEWHERE =
  /^\W{0,4}(?:hier(?: ist| sind| der| die| das|$)|(?:der |die |das )?(?:inhalt|ausgabe|ergebnis|datei|fehlermeldung|e-?mail)|voici|voil\u00e0|(?:le |la |les )?(?:contenu|sortie|r\u00e9sultat|fichier|page)|ecco|(?:il )?contenuto|risultat[oi]|aqu\u00ed|est[ea] es|(?:el |la )?(?:contenido|salida|resultado|archivo|p\u00e1gina)|aqui est\u00e1|(?:o )?(?:conte\u00fado|arquivo|ficheiro)|sa\u00edda|(?:de )?inhoud|uitvoer|bestand|inneh\u00e5ll|indhold|innhold|sis\u00e4lt\u00f6|tre\u015b\u0107|zawarto\u015b\u0107|obsah|i\u00e7erik|dosya|n\u1ed9i dung|isi|\u0432\u043e\u0442|\u0441\u043e\u0434\u0435\u0440\u0436\u0438\u043c\u043e\u0435|\u0432\u044b\u0432\u043e\u0434|\u0444\u0430\u0439\u043b|\u0442\u0435\u043a\u0441\u0442|\u043f\u0438\u0441\u044c\u043c\u043e)(?![\p{L}])|\u5185\u5bb9|\u5167\u5bb9|\u4ee5\u4e0b|\u5982\u4e0b|\u6587\u4ef6|\u8f93\u51fa|\u7ed3\u679c|\u65e5\u5fd7|\u7f51\u9875|\u90ae\u4ef6|\u4e0b\u8a18|\u6b21\u306e|\u30d5\u30a1\u30a4\u30eb|\u51fa\u529b|\u7d50\u679c|\u30ed\u30b0|\u30e1\u30fc\u30eb|\ub0b4\uc6a9|\ud30c\uc77c|\ucd9c\ub825|\uacb0\uacfc|\ub2e4\uc74c|\u0645\u062d\u062a\u0648\u0649|\u0627\u0644\u0646\u0635|\u05ea\u05d5\u05db\u05df/iu;
const RULES_ELSEWHERE =
  /regel|r\u00e8gle|regla|regol|regra|\u043f\u0440\u0430\u0432\u0438\u043b|\u89c4\u5219|\u898f\u5247|\u89c4\u8303|\u30eb\u30fc\u30eb|\u8981\u6c42|\uaddc\uce59/iu;

/** A word in another script or with diacritics, for introductions that are not listed. */
const FOREIGN_WORD = /(?![A-Za-z])\p{L}/u;
const REMEMBERS_ELSEWHERE =
  /merk|denk|recuerd|souvien|retien|ricord|lembr|zapami\u0119t|\u0437\u0430\u043f\u043e\u043c\u043d|\u8bb0\u4f4f|\u899a\u3048|\uae30\uc5b5|pr\u00e9f\u00e9r|vorlieb|w\u00fcnsch|prefer/iu;
/** The last word of a program's line before its result. */
const ENDS_WITH_RESULT = /\b(?:results?|outputs?|contents?|responses?|stdout|stderr|transcript|log|error)\W{0,4}$/i;
/** Words before a quotation that attribute it. */
export const SAID_BEFORE =
  /\b(?:says?|said|saying|reads?|wrote|writes?|states?|stated|claims?|told (?:me|us)|repl(?:ied|ies)|prints?|printed|returns?|returned|shows?)\b[^.!?\n]{0,24}$|:\s{0,3}$/i;

/** Longer text is a sentence of its own. */
const MAX_LEAD = 200;
const MAX_TITLE = 60;

/** True if the words before a colon announce a text by another author, below them or in the same line. */
function announcesText(lead: string, isBelow: boolean): boolean {
  if (SAYS.test(lead) && !SAID_MYSELF.test(lead)) return true;
  if (WILL.test(lead) || ORDERS.test(lead)) return false;
  if (isNamed(lead) || [SHOWS, WORK_ON, PLACE].some((pattern) => pattern.test(lead))) return true;
  if (ANNOUNCES.test(lead) && SOURCE.test(lead)) return true;
  if (TO_MACHINES.test(lead) || CAME_UPON.test(lead) || TEXT_WORK.test(lead)) return true;
  if (ELSEWHERE.test(lead) && !RULES_ELSEWHERE.test(lead)) return true;
  if (!isBelow) return false;
  if ([POINTS, ADDRESS, ENDS_WITH_RESULT].some((pattern) => pattern.test(lead))) return true;
  return FOREIGN_WORD.test(lead) && !RULES_ELSEWHERE.test(lead) && !REMEMBERS_ELSEWHERE.test(lead);
}

/** The same for words before a dash or an arrow. */
function announcesBehindDash(lead: string): boolean {
  return isNamed(lead) || (SAYS.test(lead) && !SAID_MYSELF.test(lead));
}

/** True if the words are only the name of such a text. */
function isNamed(lead: string): boolean {
  return TITLE.test(lead) || (NAMED.test(lead) && !PRODUCT.test(lead));
}

/**
 * True if the lines after this one, which has no colon, are such a text: after a heading, a file name, "Summarize the
 * text".
 */
function isTitle(line: string): boolean {
  const [, hashes = "", title = ""] = /^(#{0,6})\s{0,8}(\S.{0,199})$/.exec(line.trim()) ?? [];
  const plain = title.replace(/[*_`\p{Extended_Pictographic}]+/gu, "").trim();
  if (/^(?:file|filename|path|source|page|url|title|document|attached|attachment)\b[:\s]+\S{1,120}$/i.test(plain))
    return true;
  if (FILE_NAME.test(plain) && !PRODUCT.test(plain)) return true;
  if (hashes !== "") return !OWN_TITLE.test(plain);
  if (/[.?!]\s/.test(plain) || WILL.test(plain)) return false;
  if (IN_A_SENTENCE.test(plain) && SOURCE.test(plain)) return true;
  const isOpen = !/[.?!,;:]$/.test(plain);
  if (isOpen && plain.length <= MAX_TITLE && TITLE.test(plain)) return true;
  if (/^(?:[-*+•]|\d{1,3}[.)]) /.test(title)) return false;
  if (TEXT_WORK.test(plain)) return true;
  return isOpen && !ORDERS.test(plain) && (SAYS.test(plain) || SHOWS.test(plain)) && !SAID_MYSELF.test(plain);
}
