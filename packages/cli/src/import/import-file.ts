import { type TranscriptFormat, UnknownFormatError, UnreadableTranscriptError } from "throughline";
import type { SessionMeta, Skipped } from "throughline/transcript";
import type { OpenData } from "../data/open-data.ts";
import { InputError } from "../input-error.ts";
import { InterruptedError } from "../interruption.ts";
import type { Progress } from "../progress.ts";
import { openInput } from "../read-transcript.ts";
import type { PassedOver } from "./find-transcripts.ts";
import { importMemories, isMemoryExport, type MemoryImport } from "./import-memories.ts";
import { importTranscript } from "./import-transcript.ts";
import type { SessionTally } from "./import-writer.ts";
import type { LearningPreview } from "./learning-preview.ts";
import { type Peeked, peek } from "./peek.ts";

export interface ImportRequest {
  /** Opened when there is something to keep. */
  readonly open: () => Promise<OpenData>;
  readonly modelId: string;
  readonly format: TranscriptFormat | undefined;
  /** For a session that the transcript gives no id. */
  readonly session: string | undefined;
  /** Where memories go, and what is learnt; by default, where each belongs. */
  readonly project: string | undefined;
  /** It is a list of memories, however it looks. */
  readonly isMemories: boolean;
  /** Told of what transcripts say of their sessions, by the ids under which these are kept. */
  readonly metas: Map<string, SessionMeta>;
  /** Reads along, where nothing is to be kept. */
  readonly preview?: LearningPreview | undefined;
  readonly dryRun: boolean;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

export interface ImportedFile {
  readonly file: string;
  readonly format: TranscriptFormat | MemoryImport["format"] | undefined;
  readonly sessions: readonly SessionTally[];
  readonly skipped: { readonly total: number; readonly first: readonly Skipped[] };
  /** What came of the memories in it. */
  readonly memories?: MemoryImport;
  /** Why it could not be read, or not to its end; what was read is kept. */
  readonly problem?: InputError;
}

/**
 * Takes in a file that was found in a folder, if it is a transcript.
 *
 * @returns why it is none, or what came of it
 */
export async function importFound(file: string, request: ImportRequest): Promise<ImportedFile | PassedOver> {
  const imported = await importFile(file, request, false);
  const cause = imported.problem?.cause;
  const isNone = cause instanceof UnknownFormatError || cause instanceof UnreadableTranscriptError;
  return isNone && imported.sessions.length === 0 ? { file, reason: "in no known transcript format" } : imported;
}

/** Takes in a file: a transcript, whose sessions are kept, or memories. */
export async function importFile(file: string, request: ImportRequest, takesMemories = true): Promise<ImportedFile> {
  try {
    const { read } = await openInput(file);
    const peeked = await look(file, read(request.progress), request.signal);
    const isMemories = request.isMemories || (request.format === undefined && isMemoryExport(peeked.head));
    if (!isMemories || !takesMemories) return await importTranscript(file, peeked.chunks, request);
    const memories = await importMemories(file, peeked.chunks, request);
    return { ...nothingOf(file), format: memories.format, memories };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return failedImport(file, error);
  }
}

async function look(file: string, chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Peeked> {
  try {
    return await peek(chunks, signal);
  } catch (error) {
    throw error instanceof InterruptedError ? error : new InputError(file, error);
  }
}

/** What came of a file or a folder of which nothing could be imported. */
export function failedImport(file: string, error: unknown): ImportedFile {
  return { ...nothingOf(file), problem: error instanceof InputError ? error : new InputError(file, error) };
}

function nothingOf(file: string): ImportedFile {
  return { file, format: undefined, sessions: [], skipped: { total: 0, first: [] } };
}
