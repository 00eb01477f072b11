import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { link, open, realpath, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { StoreError } from "throughline";
import { UsageError } from "../usage-error.ts";

export interface WriteOptions {
  /** Replaces an existing file. */
  readonly force: boolean;
  readonly signal: AbortSignal;
}

/**
 * Writes a file atomically, readable only by the user: nothing is at `target` before everything is on disk, and an
 * existing file stays until then.
 *
 * @throws UsageError if the target exists and must not be replaced
 */
export async function atomicWrite(target: string, text: string, { force, signal }: WriteOptions): Promise<void> {
  await checkTarget(target, force);
  // For a link, its target is replaced.
  const file = existsSync(target) ? await realpath(target) : path.resolve(target);
  const draft = `${file}.${randomUUID()}.part`;
  try {
    await writeDraft(draft, text);
    signal.throwIfAborted();
    await (force ? rename(draft, file) : publish(draft, file));
  } catch (error) {
    throw describe(error, target);
  } finally {
    await rm(draft, { force: true });
  }
}

/** @throws UsageError if the target exists and must not be replaced */
export async function checkTarget(target: string, force: boolean): Promise<void> {
  const there = await stat(target).catch(() => undefined);
  if (there === undefined) return;
  if (!there.isFile())
    throw new UsageError(`Cannot replace ${target}: it is not a regular file.`, "Choose another name.");
  if (!force) throw taken(target);
}

async function writeDraft(draft: string, text: string): Promise<void> {
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Moves the draft to its final name, unless it was taken in the meantime. */
async function publish(draft: string, target: string): Promise<void> {
  try {
    await link(draft, target);
  } catch (error) {
    if (codeOf(error) === "EEXIST" || existsSync(target)) throw taken(target);
    // Some file systems do not support hard links.
    await rename(draft, target);
  }
}

function taken(target: string): UsageError {
  return new UsageError(
    `Could not write ${target}: the file already exists.`,
    "Use --force to replace it, or choose another name. Nothing was changed.",
  );
}

function describe(error: unknown, target: string): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  if (code === "ENOENT" || code === "ENOTDIR") {
    return new UsageError(
      `Could not write ${target}: its folder does not exist.`,
      "Create the folder first, or choose another path.",
    );
  }
  const problem = code === "ENOSPC" || code === "EDQUOT" ? "full" : "read-only";
  return new StoreError(problem, `Could not write ${target} (${code}).`, { cause: error });
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && "syscall" in error ? String(error.code) : undefined;
}
