import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { link, open, realpath, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { StoreError } from "throughline";
import { UsageError } from "../usage-error.ts";

export interface WriteOptions {
  /** A file that is there is replaced. */
  readonly force: boolean;
  readonly signal: AbortSignal;
}

/**
 * Writes a file for the user alone, whole or not at all: nothing is at `target` before all of it is on the disk, and what
 * was there stays until then.
 *
 * @throws UsageError where something is there that is not to be replaced
 */
export async function writeWhole(target: string, text: string, { force, signal }: WriteOptions): Promise<void> {
  await checkTarget(target, force);
  // Behind a link it is the file that is replaced, not the link.
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

/** @throws UsageError where something is there that is not to be replaced */
export async function checkTarget(target: string, force: boolean): Promise<void> {
  const there = await stat(target).catch(() => undefined);
  if (there === undefined) return;
  if (!there.isFile()) throw new UsageError(`${target} is no file that could be replaced.`, "Give another name.");
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

/** Gives it its name, which nobody may have taken meanwhile. */
async function publish(draft: string, target: string): Promise<void> {
  try {
    await link(draft, target);
  } catch (error) {
    if (codeOf(error) === "EEXIST" || existsSync(target)) throw taken(target);
    // There are file systems on which a file has one name.
    await rename(draft, target);
  }
}

function taken(target: string): UsageError {
  return new UsageError(
    `${target} is there already.`,
    "Say --force to replace it, or give the name of a new file; this one is as it was.",
  );
}

function describe(error: unknown, target: string): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  if (code === "ENOENT" || code === "ENOTDIR") {
    return new UsageError(`The folder of ${target} is not there.`, "Make it first, or give another name.");
  }
  const problem = code === "ENOSPC" || code === "EDQUOT" ? "full" : "read-only";
  return new StoreError(problem, `${target} cannot be written (${code}).`, { cause: error });
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && "syscall" in error ? String(error.code) : undefined;
}
