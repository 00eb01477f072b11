import type { IngestMessage, MemoryService, Message } from "throughline";
import { omitUndefined, readSpeech } from "throughline/internal";
import type { SavedMessages } from "./saved-messages.ts";

/** Messages per step; an import can be stopped between steps. */
const BATCH = 50;

/** Counts of stored utterances and facts. */
export interface IngestCounts {
  /** New utterances. */
  turns: number;
  /** Facts that were new; also those merged and replaced. */
  added: number;
  merged: number;
  replaced: number;
}

export function noIngestCounts(): IngestCounts {
  return { turns: 0, added: 0, merged: 0, replaced: 0 };
}

export function sumIngestCounts(tallies: readonly IngestCounts[]): IngestCounts {
  const sum = noIngestCounts();
  for (const counts of tallies)
    for (const name of Object.keys(sum) as (keyof IngestCounts)[]) sum[name] += counts[name];
  return sum;
}

interface IngestOptions {
  /** From the messages that the agent saved itself, no facts are extracted. */
  readonly saved: SavedMessages;
  readonly signal: AbortSignal;
}

/** Stores the utterances of a session, each only once. */
export async function ingestMessages(
  memory: Pick<MemoryService, "ingest" | "getAll">,
  sessionId: string,
  messages: readonly Message[],
  { saved, signal }: IngestOptions,
): Promise<IngestCounts> {
  const known = await saved.among(messages, memory);
  const utterances = messages.flatMap((message) => speechOf(message, known.has(message.id)) ?? []);
  const counts = noIngestCounts();
  for (let at = 0; at < utterances.length; at += BATCH) {
    signal.throwIfAborted();
    const { turns, memories } = await memory.ingest({ sessionId, messages: utterances.slice(at, at + BATCH), signal });
    counts.turns += turns.length;
    for (const { outcome } of memories) counts[outcome] += 1;
  }
  return counts;
}

function speechOf(message: Message, isSaved: boolean): IngestMessage | undefined {
  const { id, role, createdAt } = message;
  const text = readSpeech(message);
  if (text === "") return undefined;
  // A time of 0 means unknown.
  return omitUndefined({ id, role, text, at: createdAt === 0 ? undefined : createdAt, extract: !isSaved });
}
