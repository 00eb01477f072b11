import { InvalidImportError } from "throughline";
import { EXPORT_FORMAT } from "throughline/internal";
import type { Imported } from "throughline/memory";
import { seeingAllProjects } from "../data/open-data.ts";
import { InputError } from "../input-error.ts";
import { InterruptedError, untilAborted } from "../interruption.ts";
import { UsageError } from "../usage-error.ts";
import type { ImportRequest } from "./import-file.ts";

export type MemoryImport = Imported;

/** More than a text can hold in this language. */
const MAX_BYTES = 500_000_000;
const SAYS_SO = new RegExp(`^\\s*\\{[^]*"format"\\s*:\\s*"${EXPORT_FORMAT}"`);

/** Whether a file that begins so is what `export` wrote. */
export function isMemoryExport(head: Uint8Array): boolean {
  return SAYS_SO.test(new TextDecoder().decode(head));
}

/** Takes in memories: an export of ours, or a list that somebody copied out of ChatGPT or Claude. */
export async function importMemories(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  { open, dryRun, signal, project }: Pick<ImportRequest, "open" | "dryRun" | "signal" | "project">,
): Promise<MemoryImport> {
  const text = await readWhole(file, chunks, signal);
  try {
    const data = await open();
    // An export of everything holds what is shared in several projects; each goes back to its own.
    const { memory } = project === undefined ? await seeingAllProjects(data.store) : data.throughline;
    return await memory.import(text, { dryRun });
  } catch (error) {
    if (!(error instanceof InvalidImportError)) throw error;
    throw new InputError(file, error, "Give what `throughline export` wrote, unchanged; nothing of it was imported.");
  }
}

async function readWhole(file: string, chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of untilAborted(chunks, signal)) {
      pieces.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw new UsageError("It is too large for a list of memories.", "Give it in parts.");
    }
    const text = new TextDecoder().decode(Buffer.concat(pieces));
    if (text.trim() === "") throw new UsageError("There is nothing in it.", "Give a list of memories, a line each.");
    return text;
  } catch (error) {
    throw error instanceof InterruptedError ? error : new InputError(file, error);
  }
}
