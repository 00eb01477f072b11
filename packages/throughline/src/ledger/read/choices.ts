import { oneLine } from "../../internal/text.ts";
import type { LedgerOption } from "../ledger.ts";
import { LIMITS } from "../ledger-limits.ts";

/** Maximum characters of a reply that are searched for options, from its end. */
const MAX_REPLY = 12_000;
/** A line with the number or the letter of an option: `1. Retry`, `**B)** Fail`, `### Option 2: Wait`. */
const OPTION =
  /^[ \t]{0,8}(?:#{1,6} |[-*+•] )?((?:\*\*|__)?(?:option )?([1-9]|[a-d])(?:\*\*|__)?[.):](?:\*\*|__)? .{1,1000})$/gim;
/** The part of a message that contains the answer to a question. */
const FIRST_CLAUSE = /^[^,;\n]*?(?=[,;\n]|\.\s|\s[-–—]\s|$)/;
const MAX_WORDS = 8;
/** A message that is a list itself. */
const LIST = /^\s*1[.)]\s.*\s2[.)]\s/s;
/** A number or a letter alone: the end of a clause or a word without content follows it, and not what is counted. */
const CHOICE =
  /(?<![\p{L}\d.]|\ball )#?([1-9]|[A-D]|[a-d](?=\)))(?=\W{0,2}$|\)|\s?[+&/]|\s(?:and|or|is|are|then|please|too|for|first|sounds|seems|looks|instead|only)\b)/gu;

/** Reads the options of a reply, such as a numbered list. If several have the same number, the last one counts. */
export function readOptions(reply: string): readonly LedgerOption[] {
  const found = new Map<string, LedgerOption>();
  for (const [, line = "", label = ""] of reply.slice(-MAX_REPLY).matchAll(OPTION)) {
    found.set(label.toUpperCase(), { label: label.toUpperCase(), text: oneLine(line, LIMITS.sentence) });
  }
  return found.size > 1 ? [...found.values()] : [];
}

/** Returns the options that a message chooses by their number or letter: `1`, `option 2`, `A) is fine`, `3 and 4`. */
export function chosenOptions(message: string, options: readonly LedgerOption[]): readonly LedgerOption[] {
  if (options.length === 0 || LIST.test(message)) return [];
  const clause = FIRST_CLAUSE.exec(message.trim())?.[0] ?? "";
  if (clause.split(/\s+/, MAX_WORDS + 1).length > MAX_WORDS) return [];
  const labels = new Set([...clause.matchAll(CHOICE)].map(([, label = ""]) => label.toUpperCase()));
  return options.filter(({ label, text }) => labels.has(label) && !/[?？]\W{0,3}$/.test(text));
}
