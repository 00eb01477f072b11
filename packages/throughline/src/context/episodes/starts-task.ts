import type { Ledger } from "../../ledger/ledger.ts";
import { wasChanged } from "../../ledger/reduce-files.ts";
import { subjectWords } from "./subject-words.ts";

/** State of the current task when the user sends a message. */
export interface OpenTask {
  readonly ledger: Ledger;
  /** Subject words of requests, replies and changed files so far. */
  readonly subject: ReadonlySet<string>;
  /** Time of the last message, in milliseconds since 1970. 0 if unknown. */
  readonly lastAt: number;
  /** True if there was a commit and no change since. */
  readonly isCommitted: boolean;
}

const HOUR = 3_600_000;
/** Pause after which a request on another subject starts a new task. */
const PAUSE = 4 * HOUR;
const SWITCH =
  /\b(?:new task|next task|another (?:task|thing|topic|issue|bug|feature)|(?:something|completely|totally) (?:else|different)|unrelated|separate(?:ly)? (?:issue|task|thing)|mov(?:e|ing) on to|switch(?:ing)? to|different (?:task|topic|thing|issue))\b/i;
const ONWARD =
  /^(?:(?:ok(?:ay)?|great|perfect|nice|thanks?|thank you|alright|good|cool|done)[,.!;: ]+)*(?:now|next)\b/i;
const FEW_WORDS = 3;
const MANY_WORDS = 6;
/** A request with a higher share of known subject words belongs to the current task. */
const KNOWN = { committed: 0.34, onward: 0.2, plain: 0.1, pause: 0.5 };
const MAX_REQUEST_LENGTH = 4_000;

/**
 * True if a message starts a new task: the user says so, or the current task has results and the message is about
 * another subject. The threshold is lower without signs that the current task has ended.
 */
export function startsTask(speech: string, at: number, task: OpenTask): boolean {
  const { ledger, subject, lastAt, isCommitted } = task;
  if (ledger.requests.length === 0 || !hasSubstance(ledger)) return false;
  const request = speech.slice(0, MAX_REQUEST_LENGTH).trim();
  const words = subjectWords(request);
  if (words.size < FEW_WORDS) return false;
  if (SWITCH.test(request.slice(0, 200))) return true;
  const known = [...words].filter((word) => subject.has(word)).length / words.size;
  if (at > 0 && lastAt > 0 && at - lastAt >= PAUSE && known < KNOWN.pause) return true;
  if (words.size < MANY_WORDS) return false;
  if (isCommitted && known < KNOWN.committed) return true;
  return known < (ONWARD.test(request) ? KNOWN.onward : KNOWN.plain);
}

/** True if the task has results: a changed file, or a few commands. */
function hasSubstance({ files, commands }: Ledger): boolean {
  return files.some(wasChanged) || commands.length >= FEW_WORDS;
}
