import { InvalidImportError } from "throughline";
import { EXPORT_FORMAT } from "throughline/internal";
import type { Imported } from "throughline/memory";
import { openAllProjects } from "../data/open-data.ts";
import { InterruptedError, untilAborted } from "../terminal/interruption.ts";
import { InputError, UsageError } from "../usage-error.ts";
import type { ImportRequest } from "./import-file.ts";

export type MemoryImport = Imported;

/** Maximum length of a JavaScript string, roughly. */
const MAX_BYTES = 500_000_000;
const SAYS_SO = new RegExp(`^\\s*\\{[^]*"format"\\s*:\\s*"${EXPORT_FORMAT}"`);

/** True if a file with this beginning is an export. */
export function isMemoryExport(head: Uint8Array): boolean {
  return SAYS_SO.test(new TextDecoder().decode(head));
}

/** Imports memories from an export, or from a list copied out of ChatGPT or Claude. */
export async function importMemories(
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
        throw new UsageError("The file is too large for a list of memories.", "Split it and import the parts.");
    }
    const text = new TextDecoder().decode(Buffer.concat(pieces));
    if (text.trim() === "")
      throw new UsageError("No memories found: the file is empty.", "Give a list of memories, one per line.");
    return text;
  } catch (error) {
    throw error instanceof InterruptedError ? error : new InputError(file, error);
  }
}
