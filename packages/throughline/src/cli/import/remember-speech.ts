import type { IngestMessage } from "../../memory/service/memory-api.ts";
import type { Message } from "../../message/message.ts";
import { omitUndefined } from "../../message/read-json.ts";
import type { OpenData } from "../data/open-data.ts";

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

/** Remembers what was said in sessions. What comes again is remembered once. */
export class SpeechMemory {
  readonly #open: () => Promise<OpenData>;
  readonly #signal: AbortSignal;
  readonly tally: SpeechTally = { turns: 0, added: 0, merged: 0, replaced: 0 };

  constructor(open: () => Promise<OpenData>, signal: AbortSignal) {
    this.#open = open;
    this.#signal = signal;
  }

  async add(sessionId: string, messages: readonly Message[]): Promise<void> {
    const said = messages.flatMap((message) => speechOf(message) ?? []);
    const { memory } = (await this.#open()).throughline;
    for (let at = 0; at < said.length; at += BATCH) {
      this.#signal.throwIfAborted();
      const { turns, memories } = await memory.ingest({ sessionId, messages: said.slice(at, at + BATCH) });
      this.tally.turns += turns.length;
      for (const { outcome } of memories) this.tally[outcome] += 1;
    }
  }
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
