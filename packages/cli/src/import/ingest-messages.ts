import type { IngestMessage, MemoryService, Message } from "throughline";
import { omitUndefined } from "throughline/internal";

/** Messages between which it can be stopped. */
const BATCH = 50;

/** What was remembered. */
export interface SpeechTally {
  /** What was said and is new. */
  turns: number;
  /** The facts in it: new ones, known ones, and those that took the place of others. */
  added: number;
  merged: number;
  replaced: number;
}

export function emptySpeech(): SpeechTally {
  return { turns: 0, added: 0, merged: 0, replaced: 0 };
}

export function sumSpeech(tallies: readonly SpeechTally[]): SpeechTally {
  const sum = emptySpeech();
  for (const tally of tallies) for (const name of Object.keys(sum) as (keyof SpeechTally)[]) sum[name] += tally[name];
  return sum;
}

/** Remembers what was said in a session. What comes again is remembered once. */
export async function rememberSpeech(
  memory: Pick<MemoryService, "ingest">,
  sessionId: string,
  messages: readonly Message[],
  signal: AbortSignal,
): Promise<SpeechTally> {
  const said = messages.flatMap((message) => speechOf(message) ?? []);
  const tally = emptySpeech();
  for (let at = 0; at < said.length; at += BATCH) {
    signal.throwIfAborted();
    const { turns, memories } = await memory.ingest({ sessionId, messages: said.slice(at, at + BATCH) });
    tally.turns += turns.length;
    for (const { outcome } of memories) tally[outcome] += 1;
  }
  return tally;
}

/** What a person or the assistant said; results of tools, thoughts and what an agent put in are no speech. */
function speechOf(message: Message): IngestMessage | undefined {
  const { id, role, createdAt, isSummary = false, isCompactionTrigger = false } = message;
  if ((role !== "user" && role !== "assistant") || isSummary || isCompactionTrigger) return undefined;
  const texts = message.parts.flatMap((part) => (part.type === "text" && part.synthetic !== true ? [part.text] : []));
  const text = texts.join("\n\n").trim();
  // A time of 0 is one that is not known.
  return text === "" ? undefined : omitUndefined({ id, role, text, at: createdAt === 0 ? undefined : createdAt });
}
