import { stripInvisible } from "../../ledger/one-line.ts";
import type { ExtractTurn } from "./extract-turn.ts";

/** Nobody states facts about themselves at greater length: the rest is pasted. */
const LONGEST_TEXT = 20_000;

/** Headings under which memories and summaries are put into a conversation. */
const RECALLED =
  /^#{1,6} +(?:what you know about|(?:relevant |recalled |saved )?memor(?:y|ies)\b|user (?:profile|facts)\b)/i;
const SUMMARY = /^#{1,6} +(?:session summary|conversation summary|ledger|previous (?:conversation|session|context))\b/i;
/** Lines of such a block: entries, labels, other headings, and nothing. */
const BLOCK_LINE = /^\s*(?:$|[-*+•] |#{1,6} |\d+[.)] |[^.!?]{1,60}:\s*$)/;
/** Lines that are quoted, or that a machine wrote: quotations, tables, traces, prompts of a shell. */
const QUOTED_LINE = /^\s*(?:>|\||at \S+ ?\(|\$ |[+-]{3} |@@ |\[?\d{4}-\d\d-\d\d[T ]\d\d:)/;
const FENCE = /^\s*(?:```|~~~)/;
const OPEN_TAG = /<([A-Za-z][\w-]{0,60})(?:\s[^<>]{0,400})?>/g;
/** Tags whose content is data even where nobody closes them. */
const NEVER_SPEECH = /^(?:memor(?:y|ies)|system-reminder|context|recalled?|retrieved|tool[-_]\w+)$/i;
/** Somebody else's words, or nobody's: a quotation that speaks in the first person. */
const QUOTATION = /"[^"\n]{2,400}"|“[^”\n]{2,400}”|«[^»\n]{2,400}»|(?<=^|[\s(:,])'[^'\n]{2,400}'(?=$|[\s).,;:!?])/g;
const FIRST_PERSON = /\b(?:i|i['’]m|i['’]ve|im|me|my|we|our|us)\b/i;
/** What follows is a text to work on, and not what the speaker says of themselves. */
const TEXT_TO_WORK_ON =
  /\b(?:translate|proof-?read|rewrite|rephrase|paraphrase|reword|edit|summari[sz]e|polish|shorten|analy[sz]e|classify|correct|improve|review)\b[^:\n.?!]{0,80}:/i;

/**
 * A turn's text with everything blanked that its speaker did not say: what was injected or recalled, code, quotations,
 * what a machine wrote. Offsets stay as they are, so that what is found can be quoted.
 */
export function blankForeign(turn: ExtractTurn): { readonly said: string; readonly own: string } {
  if (turn.synthetic === true) return { said: "", own: "" };
  const spans = turn.synthetic === undefined || turn.synthetic === false ? [] : turn.synthetic;
  let text = turn.text;
  for (const { start, end } of spans) text = blank(text, start, end);
  const said = stripInvisible(text.slice(0, LONGEST_TEXT)).replace(/\r/g, "\n");
  const own = blankQuotations(blankLines(blankTags(said)));
  const request = TEXT_TO_WORK_ON.exec(own);
  return { said, own: request === null ? own : blank(own, request.index, own.length) };
}

function blank(text: string, from: number, to: number): string {
  const start = Math.max(0, Math.min(from, text.length));
  const end = Math.max(start, Math.min(to, text.length));
  return `${text.slice(0, start)}${"\n".repeat(end - start)}${text.slice(end)}`;
}

function blankTags(text: string): string {
  let result = text;
  let last = 0;
  const unclosed = new Set<string>();
  for (const { 0: tag, 1: name = "", index } of text.matchAll(OPEN_TAG)) {
    if (index < last || unclosed.has(name)) continue;
    const close = text.indexOf(`</${name}>`, index + tag.length);
    if (close === -1) unclosed.add(name);
    if (close === -1 && !NEVER_SPEECH.test(name)) continue;
    last = close === -1 ? text.length : close + name.length + 3;
    result = blank(result, index, last);
  }
  return result;
}

function blankLines(text: string): string {
  let inFence = false;
  let block: "none" | "recalled" | "summary" = "none";
  let wasEmpty = false;
  const keep = (line: string): boolean => {
    if (FENCE.test(line)) {
      inFence = !inFence;
      return false;
    }
    if (SUMMARY.test(line)) block = "summary";
    else if (RECALLED.test(line)) block = "recalled";
    else if (block === "recalled" && wasEmpty && !BLOCK_LINE.test(line)) block = "none";
    wasEmpty = line.trim() === "";
    return !inFence && block === "none" && !QUOTED_LINE.test(line);
  };
  return text
    .split("\n")
    .map((line) => (keep(line) ? line : "\n".repeat(line.length)))
    .join("\n");
}

function blankQuotations(text: string): string {
  return text.replace(QUOTATION, (quoted) => (FIRST_PERSON.test(quoted) ? "\n".repeat(quoted.length) : quoted));
}
