import { readdir, stat } from "node:fs/promises";
import path from "node:path";

/** A file in a folder that is not a transcript, and the reason. */
export interface SkippedFile {
  readonly file: string;
  readonly reason: string;
}

export interface FoundFiles {
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
