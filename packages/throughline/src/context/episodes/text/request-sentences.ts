import { splitSentences } from "../../../language/sentences.ts";
import type { LedgerRequest } from "../../../ledger/ledger.ts";
import { readUserWords } from "../../../ledger/quoted/user-words.ts";

/** Text that agents insert as user messages. */
const INSERTED = /^(?:<[\w-]+>|Operation stopped by hook|\[Request interrupted|Caveat:|You are (?:a|an|the) )/;
/** A link to an issue or a pull request becomes its number; other links are left out. */
const NUMBERED_LINK = /https?:\/\/\S{1,200}\/(?:pull|pulls|issues|merge_requests)\/(\d{1,7})\S*/g;
/** The number of an issue, followed by its link. */
const REPEATED_NUMBER = /#(\d{1,7})\s+#\1\b/g;
const LINK = /https?:\/\/\S+/g;
/** A single word before a colon. */
const LABEL = /^\s*[\p{L}-]{1,20}:\s*$/u;
const BULLET = /^(?:[-*+•]|\d{1,2}[.)])\s+/;

/** True if an agent, not the user, wrote a request. */
export function isInserted({ text }: LedgerRequest): boolean {
  return INSERTED.test(text);
}

/** Sentences of a request in the user's own words, each on one line, without links. */
export function requestSentences(request: LedgerRequest): readonly string[] {
  if (isInserted(request)) return [];
  const { own } = readUserWords(request.text);
  // A label before a colon ("debug: …") is not a sentence, even if a pasted text may follow it.
  const spoken = LABEL.test(own) ? request.text : own;
  return splitSentences(spoken.replace(NUMBERED_LINK, "#$1").replace(REPEATED_NUMBER, "#$1").replace(LINK, " "), {
    anyCase: true,
  })
    .map((sentence) => sentence.text.replace(/\s+/g, " ").replace(BULLET, "").trim())
    .filter((sentence) => sentence !== "");
}
