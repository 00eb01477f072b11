import { chmod, mkdir, readFile, rm, rmdir, stat } from "node:fs/promises";
import path from "node:path";
import { StoreError } from "throughline";
import { writeWhole } from "../export/atomic-write.ts";
import { ConfigError } from "./config-error.ts";

/** What is to become of a file: `undefined` where there is none. */
export interface ConfigChange {
  readonly file: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * The text of a file as it is, its mark of the byte order too; `undefined` where there is none.
 *
 * @throws ConfigError where it is no text, or cannot be read
 */
export async function readConfig(file: string): Promise<string | undefined> {
  try {
    const bytes = await readFile(file);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENOENT") return undefined;
    if (code === "ENOTDIR" || code === "EISDIR") {
      throw new ConfigError(file, "It is no file, or its folder is none.", "Make room for it; nothing was changed.");
    }
    if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") {
      throw new ConfigError(file, "It is no text in UTF-8.", "Save it as UTF-8; it is as it was.");
    }
    throw error;
  }
}

/** The folders above a file that are not there yet, the outermost first. */
export async function missingFolders(file: string): Promise<readonly string[]> {
  const missing: string[] = [];
  for (let folder = path.dirname(file); !(await exists(folder)); folder = path.dirname(folder)) missing.unshift(folder);
  return missing;
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/**
 * Does what was shown, or nothing: a file that somebody else changed meanwhile is left alone.
 *
 * @throws ConfigError, StoreError
 */
export async function applyChange({ file, before, after }: ConfigChange, signal: AbortSignal): Promise<void> {
  if ((await readConfig(file)) !== before) {
    throw new ConfigError(file, "It was changed while you looked.", "Do it again; it is as the other one left it.");
  }
  try {
    if (after === undefined) await rm(file);
    else await write(file, after, signal);
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error && "code" in error)) throw error;
    throw new StoreError("read-only", `${file} cannot be written (${error.code}).`, { cause: error });
  }
}

async function write(file: string, text: string, signal: AbortSignal): Promise<void> {
  // Others may have to read it, as they could before.
  const mode = await stat(file).then(
    ({ mode }) => mode & 0o777,
    () => 0o666 & ~process.umask(),
  );
  await mkdir(path.dirname(file), { recursive: true });
  await writeWhole(file, text, { force: true, signal });
  await chmod(file, mode);
}

/** Removes folders that were made for a file, the innermost first, as far as they are empty. */
export async function removeFolders(folders: readonly string[]): Promise<void> {
  try {
    for (const folder of folders.toReversed()) await rmdir(folder);
  } catch {
    // Something else is in it now, which stays.
  }
}
