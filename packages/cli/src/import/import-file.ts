import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { InvalidImportError, type TranscriptFormat, UnknownFormatError, UnreadableTranscriptError } from "throughline";
import { EXPORT_FORMAT } from "throughline/internal/engine";
import type { Imported } from "throughline/memory";
import type { SessionMeta, Skipped } from "throughline/transcript";
import type { ExcludedFolders } from "../config/excluded-folders.ts";
import { type OpenData, openAllProjects } from "../data/open-data.ts";
import { InterruptedError, untilAborted } from "../terminal/interruption.ts";
import type { Progress } from "../terminal/progress.ts";
import { openInput } from "../transcripts/read-transcript.ts";
import { InputError, UsageError } from "../usage-error.ts";
import type { HistorySurvey } from "./history-survey.ts";
import { importTranscript } from "./import-transcript.ts";
import type { SessionCounts } from "./import-writer.ts";
import type { LearningPreview } from "./learn-from-sessions.ts";

export interface ImportRequest {
  /** Opens the data on first use. */
  readonly open: () => Promise<OpenData>;
  readonly modelId: string;
  readonly format: TranscriptFormat | undefined;
  /** Id for a session without one in the transcript. */
  readonly session: string | undefined;
  /** Project for all memories (default: the project of each session). */
  readonly project: string | undefined;
  /** Treat the file as a list of memories. */
  readonly isMemories: boolean;
  /** Store passwords and keys as they are. */
  readonly keepSecrets: boolean;
  /** Tests if sessions of a folder are skipped. */
  readonly isExcluded: ExcludedFolders;
  /** Session metadata from the transcripts, by stored session id. */
  readonly metas: Map<string, SessionMeta>;
  /** Collects a preview in a dry run. */
  readonly preview?: LearningPreview | undefined;
  /** Collects the report about an agent's history. */
  readonly survey?: HistorySurvey | undefined;
  readonly dryRun: boolean;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

export interface ImportedFile {
  readonly file: string;
  readonly format: TranscriptFormat | MemoryImport["format"] | undefined;
  readonly sessions: readonly SessionCounts[];
  readonly skipped: { readonly total: number; readonly first: readonly Skipped[] };
  /** Ids of sessions that were skipped, because their folder is excluded. */
  readonly excluded: readonly string[];
  /** Number of messages of other sessions that were skipped, because they were recorded in an excluded folder. */
  readonly excludedMessages: number;
  /** Number of passwords, keys and the like that were redacted. */
  readonly redacted: number;
  /** Result of importing memories. */
  readonly memories?: MemoryImport;
  /** Why the file could not be read, or not to its end; messages read before are kept. */
  readonly problem?: InputError;
}

/**
 * Imports a file that was found in a folder, if it is a transcript.
 *
 * @returns the result, or the reason why it was skipped
 */
export async function importFound(file: string, request: ImportRequest): Promise<ImportedFile | SkippedFile> {
  const imported = await importFile(file, request, false);
  const cause = imported.problem?.cause;
  const isNone = cause instanceof UnknownFormatError || cause instanceof UnreadableTranscriptError;
  return isNone && imported.sessions.length === 0 ? { file, reason: "unknown transcript format" } : imported;
}

/** Imports a file: a transcript or memories. */
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

/** The result for a file or folder that could not be imported. */
export function failedImport(file: string, error: unknown): ImportedFile {
  return { ...nothingOf(file), problem: error instanceof InputError ? error : new InputError(file, error) };
}

function nothingOf(file: string): ImportedFile {
  const nothing = { sessions: [], skipped: { total: 0, first: [] }, excluded: [], excludedMessages: 0, redacted: 0 };
  return { file, format: undefined, ...nothing };
}

/** Bytes that are enough to detect the format. */
const HEAD_BYTES = 4_096;

interface Peeked {
  /** The first bytes. */
  readonly head: Uint8Array;
  /** The whole content. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Reads the first bytes of a stream without consuming it. */
async function peek(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Peeked> {
  const source = chunks[Symbol.asyncIterator]();
  const rest = { [Symbol.asyncIterator]: () => source };
  const first: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of untilAborted(rest, signal)) {
    first.push(chunk);
    size += chunk.length;
    if (size >= HEAD_BYTES) break;
  }
  return { head: Buffer.concat(first).subarray(0, HEAD_BYTES), chunks: rejoin(first, rest) };
}

async function* rejoin(first: readonly Uint8Array[], rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* first;
  yield* rest;
}

export type MemoryImport = Imported;

/** Maximum length of a JavaScript string, roughly. */
const MAX_BYTES = 500_000_000;
const SAYS_SO = new RegExp(`^\\s*\\{[^]*"format"\\s*:\\s*"${EXPORT_FORMAT}"`);

/** True if a file with this beginning is an export. */
function isMemoryExport(head: Uint8Array): boolean {
  return SAYS_SO.test(new TextDecoder().decode(head));
}

/** Imports memories from an export, or from a list copied out of ChatGPT or Claude. */
async function importMemories(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  { open, dryRun, signal, project }: Pick<ImportRequest, "open" | "dryRun" | "signal" | "project">,
): Promise<MemoryImport> {
  const text = await readWhole(file, chunks, signal);
  try {
    const data = await open();
    // A full export has shared memories of several projects; each goes back to its own.
    const { memory } = project === undefined ? await openAllProjects(data) : data.throughline;
    return await memory.import(text, { dryRun });
  } catch (error) {
    if (!(error instanceof InvalidImportError)) throw error;
    throw new InputError(file, error, "Give a file that `throughline export` wrote, unchanged. Nothing was imported.");
  }
}

async function readWhole(file: string, chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of untilAborted(chunks, signal)) {
      pieces.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_BYTES)
        throw new UsageError(
          `The file is too large for a list of memories: the limit is ${MAX_BYTES / 1_000_000} MB.`,
          "Split it and import the parts.",
        );
    }
    const text = new TextDecoder().decode(Buffer.concat(pieces));
    if (text.trim() === "")
      throw new UsageError("No memories found: the file is empty.", "Give a list of memories, one per line.");
    return text;
  } catch (error) {
    throw error instanceof InterruptedError ? error : new InputError(file, error);
  }
}

/** A file in a folder that is not a transcript, and the reason. */
export interface SkippedFile {
  readonly file: string;
  readonly reason: string;
}

interface FoundFiles {
  /** Possible transcripts, ordered by path. */
  readonly files: readonly string[];
  readonly skippedFiles: readonly SkippedFile[];
}

const TRANSCRIPT_NAME = /\.(?:jsonl|ndjson|json|db)(?:\.(?:gz|zst))?$/i;
/** Folders of other programs, which may contain very many files. */
const OTHER_FOLDERS: ReadonlySet<string> = new Set([".git", "node_modules"]);

/** Lists the files in a folder and its subfolders. Links to folders are not followed. */
export async function findTranscripts(folder: string): Promise<FoundFiles> {
  const files: string[] = [];
  const skippedFiles: SkippedFile[] = [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return { files, skippedFiles: [{ file: folder, reason: "not readable" }] };
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (OTHER_FOLDERS.has(entry.name)) continue;
      const below = await findTranscripts(file);
      files.push(...below.files);
      skippedFiles.push(...below.skippedFiles);
    } else if (entry.isFile() || (entry.isSymbolicLink() && (await isFile(file)))) {
      if (TRANSCRIPT_NAME.test(entry.name)) files.push(file);
      else skippedFiles.push({ file, reason: "name does not look like a transcript" });
    }
  }
  return { files, skippedFiles };
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (there) => there.isFile(),
    () => false,
  );
}
