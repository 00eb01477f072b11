import { type FileHandle, open, stat } from "node:fs/promises";
import process from "node:process";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import {
  ThroughlineError,
  TRANSCRIPT_FORMATS,
  type TranscriptFormat,
  UnknownFormatError,
  UnreadableTranscriptError,
} from "throughline";
import { parseTranscriptStream, type TranscriptEvent } from "throughline/transcript";
import { Progress } from "../terminal/progress.ts";
import { InputError } from "../usage-error.ts";
import { isStoredSession, readOpenCodeDatabase, readStoredSession, SQLITE_MAGIC } from "./read-opencode.ts";

/** Minimum bytes to show progress for. */
const WORTH_SHOWING = 32 * 1024 * 1024;

interface TranscriptReading {
  /** Bytes, if known. */
  readonly size: number | undefined;
  readonly events: AsyncIterable<TranscriptEvent>;
}

/**
 * Reads a file as a stream, with progress for large ones.
 *
 * @throws InputError here, or while the events are read
 */
export async function readTranscript(file: string, format: TranscriptFormat | undefined): Promise<TranscriptReading> {
  const { size, read } = await openInput(file);
  const progress = new Progress("Reading", size !== undefined && size >= WORTH_SHOWING ? size : 0);
  return { size, events: readEvents(file, read(progress), format) };
}

/** @throws InputError if it cannot be opened */
export async function openInput(file: string): Promise<OpenTranscript> {
  try {
    return await openTranscript(file);
  } catch (error) {
    throw new InputError(file, error);
  }
}

/**
 * The messages in the bytes of a file.
 *
 * @throws InputError while they are read
 */
export async function* readEvents(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  format: TranscriptFormat | undefined,
): AsyncGenerator<TranscriptEvent> {
  let readAs: TranscriptFormat | undefined;
  try {
    for await (const event of parseTranscriptStream(chunks, format)) {
      if (event.type === "format") readAs = event.format;
      yield event;
    }
  } catch (error) {
    throw new InputError(file, error, advise(error, readAs));
  }
}

/** @param readAs the detected or given format, if reading got that far */
function advise(error: unknown, readAs: TranscriptFormat | undefined): string | undefined {
  if (!ThroughlineError.isInstance(error)) return undefined;
  if (error instanceof UnknownFormatError && error.looksLike !== undefined) return error.hint;
  if (error.code === "unknown-format") return "If it is a transcript, select its format with --format.";
  if (readAs === undefined) return error.hint;
  const formats = TRANSCRIPT_FORMATS.join(", ");
  return `It was read as ${readAs}. If it is something else, select its format with --format: ${formats}.`;
}

interface OpenTranscript {
  /** Bytes on disk; unknown for standard input. */
  readonly size: number | undefined;
  /** @param progress advanced by the bytes read from disk */
  read(progress: Progress): AsyncIterable<Uint8Array>;
}

/** Opens a transcript as a stream. Compressed files are decompressed, and databases are exported. */
export async function openTranscript(file: string): Promise<OpenTranscript> {
  if (file === "-") return { size: undefined, read: (progress) => unpack(counted(process.stdin, progress)) };
  const handle = await open(file);
  const { size } = await stat(file);
  if (await isDatabase(handle)) {
    await handle.close();
    return { size: size + (await sizeOf(`${file}-wal`)), read: (progress) => readOpenCodeDatabase(file, progress) };
  }
  if (isStoredSession(file)) {
    await handle.close();
    return { size, read: (progress) => readStoredSession(file, progress) };
  }
  return { size, read: (progress) => unpack(counted(handle.createReadStream(), progress)) };
}

async function isDatabase(handle: FileHandle): Promise<boolean> {
  if (!(await handle.stat()).isFile()) return false;
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(SQLITE_MAGIC.length), 0, SQLITE_MAGIC.length, 0);
  return bytesRead === SQLITE_MAGIC.length && buffer.toString("latin1") === SQLITE_MAGIC;
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

async function* counted(chunks: AsyncIterable<Uint8Array>, progress: Progress): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    progress.advance(chunk.length);
    yield chunk;
  }
}

const GZIP = [0x1f, 0x8b];
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];

/** Detects compression by the first bytes, not by the name. */
async function* unpack(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = packed[Symbol.asyncIterator]();
  const first = await source.next();
  if (first.done) return;
  const whole = rejoin(first.value, source);
  try {
    if (startsWith(first.value, GZIP)) yield* gunzip(whole);
    else if (startsWith(first.value, ZSTD)) yield* unpackZstd(whole);
    else yield* whole;
  } catch (error) {
    if (error instanceof Error && !("syscall" in error)) {
      throw new UnreadableTranscriptError(
        `Could not decompress the file: ${error.message}.`,
        "Check that the file is complete.",
      );
    }
    throw error;
  }
}

async function* rejoin(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* { [Symbol.asyncIterator]: () => rest };
}

function gunzip(packed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return pipeline(Readable.from(packed), createGunzip(), () => {
    // Errors reach the reader.
  });
}

async function* unpackZstd(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  // Builds its tables when it is loaded.
  const { Decompress } = await import("fzstd");
  const zstd = new Decompress((chunk) => ready.push(chunk));
  for await (const chunk of packed) {
    zstd.push(chunk);
    yield* ready.splice(0);
  }
  zstd.push(new Uint8Array(0), true);
  yield* ready.splice(0);
}

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, i) => bytes[i] === byte);
}
