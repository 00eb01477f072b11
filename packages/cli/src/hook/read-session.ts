import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Message } from "throughline";
import { untilAborted } from "../terminal/interruption.ts";
import { Progress } from "../terminal/progress.ts";
import { openTranscript, readEvents } from "../transcripts/read-transcript.ts";
import { UsageError } from "../usage-error.ts";
import type { HookInput } from "./hook-input.ts";

/** Of larger files, only the first `HEAD` and the last `TAIL` bytes are read. */
const MAX_BYTES = 24 * 1024 * 1024;
const HEAD = 4 * 1024 * 1024;
const TAIL = 16 * 1024 * 1024;

export interface ReadOptions {
  /** Reads only the beginning and the end of a large file. */
  readonly isBounded: boolean;
  readonly signal: AbortSignal;
}

/** The messages of the session that a hook is called for, without sub-agents. */
export async function* readSession(input: HookInput, { isBounded, signal }: ReadOptions): AsyncGenerator<Message> {
  const subagents = new Set<string>();
  const name = input.transcriptPath ?? "the transcript";
  for await (const event of untilAborted(readEvents(name, await chunksOf(input, isBounded), undefined), signal)) {
    if (event.type === "session" && event.meta.parentId !== undefined) subagents.add(event.id);
    else if (event.type === "message" && !subagents.has(event.message.sessionId)) yield event.message;
  }
}

async function chunksOf(
  { transcript, transcriptPath }: HookInput,
  isBounded: boolean,
): Promise<AsyncIterable<Uint8Array>> {
  if (transcript !== undefined) return once(JSON.stringify(transcript));
  if (transcriptPath === undefined)
    throw new UsageError("The hook input has no transcript_path.", "Send the path of the session's transcript.");
  const { size } = await stat(transcriptPath);
  // Compressed files can only be read from the beginning.
  const isCut = isBounded && size > MAX_BYTES && !/\.(?:gz|zst)$/i.test(transcriptPath);
  return isCut ? bothEnds(transcriptPath, size) : (await openTranscript(transcriptPath)).read(new Progress("", 0));
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

/** The line at the seam is broken and is skipped. */
async function* bothEnds(file: string, size: number): AsyncGenerator<Uint8Array> {
  yield* createReadStream(file, { end: HEAD - 1 });
  yield* createReadStream(file, { start: size - TAIL });
}
