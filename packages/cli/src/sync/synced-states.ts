import { createHash } from "node:crypto";
import type { DocumentStore } from "throughline/internal/sql";
import { arrayField, isRecord, stringField } from "throughline/internal/util";
import { USER_SPACE } from "../data/open-data.ts";

/** A line of the block after a sync. It contains no text, so that erased memories leave nothing behind. */
export interface SyncedLine {
  readonly digest: string;
  /** Memories that have this text. */
  readonly ids: readonly string[];
}

/** The block after a sync. */
export interface SyncedState {
  /** Digest of its content, which the start marker contains. */
  readonly id: string;
  readonly lines: readonly SyncedLine[];
}

/** The record of a synced file. */
export interface SyncedFile {
  readonly revision: number;
  /** Newest first. Older entries are the base of older versions of the file, as on another branch. */
  readonly states: readonly SyncedState[];
  /** Digests of lines that a person deleted, latest first. */
  readonly removed: readonly string[];
}

const MAX_STATES = 20;
const MAX_REMOVED = 500;

export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** The id of a block with these headings and items, in order. */
export function stateId(texts: readonly string[]): string {
  return digestOf(texts.join("\n")).slice(0, 8);
}

/** The document of a file: all worktrees of a project share it. */
export interface FileName {
  readonly project: string;
  /** Path relative to the root of the project's files. */
  readonly name: string;
}

function documentOf({ project, name }: FileName): string {
  return `synced-file/${digestOf(`${project}\n${name}`)}`;
}

/** The record of a file; an empty one if it was never synced. */
export async function readSynced(documents: DocumentStore, file: FileName): Promise<SyncedFile> {
  const stored = await documents.get(USER_SPACE, documentOf(file));
  const value = isRecord(stored?.value) ? stored.value : {};
  return {
    revision: stored?.revision ?? 0,
    states: (arrayField(value, "states") ?? []).filter(isState),
    removed: (arrayField(value, "removed") ?? []).filter((one) => typeof one === "string"),
  };
}

/** Adds the newest state to the record of a file. */
export async function writeSynced(
  documents: DocumentStore,
  file: FileName,
  known: SyncedFile,
  { state, removed }: { readonly state: SyncedState; readonly removed: readonly string[] },
): Promise<void> {
  const states = [state, ...known.states.filter(({ id }) => id !== state.id)].slice(0, MAX_STATES);
  const kept = new Set(state.lines.map(({ digest }) => digest));
  // A line that is in the file again was added by a person.
  const allRemoved = [...new Set([...removed, ...known.removed])].filter((digest) => !kept.has(digest));
  const value = { states, removed: allRemoved.slice(0, MAX_REMOVED) };
  // If another process synced in between, its record is as good: the next sync compares texts.
  await documents.put(USER_SPACE, documentOf(file), { revision: known.revision, value });
}

/** The state that the block was written from, or the newest one if that is unknown. */
export function baseOf({ states }: SyncedFile, id: string): readonly SyncedLine[] {
  return (states.find((state) => state.id === id) ?? states[0])?.lines ?? [];
}

function isState(value: unknown): value is SyncedState {
  if (!isRecord(value) || stringField(value, "id") === undefined) return false;
  const lines = arrayField(value, "lines") ?? [];
  return lines.every(isLine);
}

function isLine(value: unknown): value is SyncedLine {
  if (!isRecord(value) || typeof value.digest !== "string") return false;
  return arrayField(value, "ids")?.every((id) => typeof id === "string") ?? false;
}
