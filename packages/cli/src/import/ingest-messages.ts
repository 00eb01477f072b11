import type { IngestMessage, MemoryService, Message } from "throughline";
import { readSpeech } from "throughline/internal/engine";
import { omitUndefined } from "throughline/internal/util";
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

/** An utterance of a session. It may be a fact that the agent saved itself. */
export type Utterance = Omit<IngestMessage, "extract"> & { readonly id: string };

/** Stores the utterances of messages, each only once. */
export function ingestMessages(
  memory: Pick<MemoryService, "ingest" | "getAll">,
  sessionId: string,
  messages: readonly Message[],
  options: IngestOptions,
): Promise<IngestCounts> {
  return ingestUtterances(memory, sessionId, utterancesOf(messages), options);
}

/** Stores utterances of a session, each only once. */
export async function ingestUtterances(
  memory: Pick<MemoryService, "ingest" | "getAll">,
  sessionId: string,
  utterances: readonly Utterance[],
  { saved, signal }: IngestOptions,
): Promise<IngestCounts> {
  const known = await saved.among(utterances, memory);
  const counts = noIngestCounts();
  for (let at = 0; at < utterances.length; at += BATCH) {
    signal.throwIfAborted();
    const batch = utterances.slice(at, at + BATCH).map((one) => ({ ...one, extract: !known.has(one.id) }));
    const { turns, memories } = await memory.ingest({ sessionId, messages: batch, signal });
    counts.turns += turns.length;
    for (const { outcome } of memories) counts[outcome] += 1;
  }
  return counts;
}

/** The text of messages. */
export function utterancesOf(messages: readonly Message[]): readonly Utterance[] {
  return messages.flatMap((message) => {
    const { id, role, createdAt } = message;
    const text = readSpeech(message);
    // A time of 0 means unknown.
    return text === "" ? [] : [omitUndefined({ id, role, text, at: createdAt === 0 ? undefined : createdAt })];
  });
}
