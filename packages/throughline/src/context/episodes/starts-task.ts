import type { Ledger } from "../../ledger/ledger.ts";
import { wasChanged } from "../../ledger/note-files.ts";
import { subjectWords } from "./subject-words.ts";

/** What is known of the task that is on, when somebody says something. */
export interface OpenTask {
  readonly ledger: Ledger;
  /** What it is about so far: words of requests, replies and changed files. */
  readonly subject: ReadonlySet<string>;
  /** When something was last said or done; 0 where it is not known. */
  readonly lastAt: number;
  /** Something was committed, and nothing was changed since. */
  readonly isCommitted: boolean;
}

const HOUR = 3_600_000;
/** After so long, somebody who asks for something else has begun anew. */
const PAUSE = 4 * HOUR;
const SWITCH =
  /\b(?:new task|next task|another (?:task|thing|topic|issue|bug|feature)|(?:something|completely|totally) (?:else|different)|unrelated|separate(?:ly)? (?:issue|task|thing)|mov(?:e|ing) on to|switch(?:ing)? to|different (?:task|topic|thing|issue))\b/i;
const ONWARD =
  /^(?:(?:ok(?:ay)?|great|perfect|nice|thanks?|thank you|alright|good|cool|done)[,.!;: ]+)*(?:now|next)\b/i;
const FEW_WORDS = 3;
const MANY_WORDS = 6;
/** How much of what is said may be about what is on. */
const KNOWN = { committed: 0.34, onward: 0.2, plain: 0.1, pause: 0.5 };
const MAX_REQUEST_LENGTH = 4_000;

/**
 * Whether what the user says begins something new. It does where the user says so; else where something was done so far,
 * and what is said now is about something else: less so, the less speaks for an end of what was on.
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

/** Something came of it: a file was changed, or a few commands ran. */
function hasSubstance({ files, commands }: Ledger): boolean {
  return files.some(wasChanged) || commands.length >= FEW_WORDS;
}
