import type { Memory, MemoryKind, MemoryService } from "throughline";
import { type OpenMemory, spaceOf } from "throughline/internal/engine";
import type { ListOptions, MemoryLevels, MemorySource } from "throughline/memory";
import type { SessionHead, SessionKey } from "throughline/store";
import { moment, printableLine } from "../terminal/print-values.ts";
import { UsageError } from "../usage-error.ts";
import {
  type DataOptions,
  findData,
  LOCAL_USER,
  readPages,
  type StoredData,
  withStoredData,
  withStoredMemories,
} from "./open-data.ts";

/** Runs `work` with the memories. Returns `undefined`, and creates nothing, if there are none. */
export async function withStoredMemory<T>(
  options: DataOptions,
  work: (memory: MemoryService, data: StoredData<OpenMemory>) => Promise<T>,
): Promise<T | undefined> {
  return withStoredMemories(options, async (data) => {
    const [space] = await data.store.memories.spaces({ limit: 1 });
    return space === undefined ? undefined : work(data.throughline.memory, data);
  });
}

/** All memories in the order of their ids. */
export function allMemories(
  memory: MemoryService,
  wanted: Omit<ListOptions, "after" | "limit"> = {},
): Promise<readonly Memory[]> {
  return readPages(
    (page) => memory.list({ ...wanted, ...page }),
    ({ id }) => id,
  );
}

/** The message for empty data. */
export function nothingRemembered(options: DataOptions): string {
  return `No memories in ${findData(options).file} yet. Add one: \`throughline remember TEXT\`.\n`;
}

/** The error for an id that does not exist. */
export function notFoundError(what: string, command: string, options: DataOptions): UsageError {
  const { currentProject, allProjects = false } = options;
  const elsewhere =
    currentProject?.isRepository !== true || allProjects ? "" : " --all-projects also searches other projects.";
  return new UsageError(
    `No ${what} in ${findData(options).file}.`,
    `List the ids with \`throughline ${command}\`.${elsewhere}`,
  );
}

/**
 * Finds a memory by its id, or by a unique prefix.
 *
 * @throws UsageError if there is none, or more than one
 */
export async function findMemory(named: string, memory: MemoryService, options: DataOptions): Promise<Memory> {
  const found = await memory.get(named);
  if (found !== undefined) return found;
  // In id order, ids with this prefix follow directly.
  const next = await memory.list({ all: true, after: named, limit: 2 });
  const only = pickByPrefix(named, next, "memories");
  if (only === undefined) throw notFoundError(`memory ${named}`, "memories --all", options);
  return only;
}

/** The item with this id, or the only one whose id starts with it. */
export function pickByPrefix<T extends { readonly id: string }>(
  named: string,
  found: readonly T[],
  noun: string,
): T | undefined {
  const exact = found.find(({ id }) => id === named);
  if (exact !== undefined) return exact;
  const alike = named === "" ? [] : found.filter(({ id }) => id.startsWith(named));
  const ids = [...new Set(alike.map(({ id }) => id))];
  if (ids.length > 1) {
    throw new UsageError(
      `The id ${named} is ambiguous, several ${noun} start with it: ${ids.slice(0, 2).join(", ")} …`,
      "Give more characters of the id.",
    );
  }
  return alike[0];
}

export interface FoundSession extends StoredData {
  readonly key: SessionKey;
  readonly head: SessionHead;
  /** Number of stored utterances of the session, which may exist without messages. */
  readonly turns: number;
}

/**
 * Runs `work` with a stored session, found by its id or by a unique prefix. With `exact`, only the full id matches, and
 * sessions with nothing but utterances are found too.
 *
 * @throws UsageError if there is no such session
 */
export async function withFoundSession<T>(
  named: string,
  options: DataOptions & { readonly exact?: boolean },
  work: (session: FoundSession) => Promise<T>,
): Promise<T> {
  const result = await withStoredData(options, async (data) => {
    const found =
      (await find(named, data, options.exact)) ?? (options.exact ? undefined : await findByBeginning(named, data));
    return found && { value: await work({ ...data, ...found }) };
  });
  if (result !== undefined) return result.value;
  throw new UsageError(
    `No session has the id or prefix ${named} in ${findData(options).file}.`,
    "List the stored sessions with `throughline sessions`.",
  );
}

type Found = Pick<FoundSession, "key" | "head" | "turns">;

async function find(sessionId: string, { store }: StoredData, isRemembered = false): Promise<Found | undefined> {
  const key = { userId: LOCAL_USER, sessionId };
  const head = await store.sessions.head(key);
  const turns = isRemembered
    ? (
        await store.memories.list(spaceOf("user-private", { userId: LOCAL_USER, projectId: undefined }), "turns", {
          sessionId,
        })
      ).length
    : 0;
  return head.appended + head.revision + turns === 0 ? undefined : { key, head, turns };
}

async function findByBeginning(beginning: string, data: StoredData): Promise<Found | undefined> {
  // In id order, ids with this prefix follow directly.
  const next = await data.throughline.sessions({ after: beginning, limit: 2 });
  const ids = next.map(({ sessionId }) => sessionId).filter((id) => id.startsWith(beginning));
  if (ids.length > 1) {
    throw new UsageError(
      `The session id ${beginning} is ambiguous: ${ids.join(", ")} …`,
      "Give more characters of the id.",
    );
  }
  return ids[0] === undefined ? undefined : find(ids[0], data);
}

/** The text of a fact, or the title of another memory, in one line. */
export function memoryLine({
  kind,
  levels,
}: {
  readonly kind?: MemoryKind;
  readonly levels: Pick<MemoryLevels, "full">;
}): string {
  if (kind === undefined || kind === "fact") return printableLine(levels.full);
  const [title = ""] = levels.full.trim().split("\n");
  return printableLine(title.replace(/:$/, ""));
}

/** Notes about a memory: pinned, ended, archived, visibility. */
export function notesOf({
  pinned,
  validTo,
  archivedAt,
  scope,
  projectId,
}: Pick<Memory, "pinned" | "validTo" | "archivedAt" | "scope"> & {
  readonly projectId?: string | undefined;
}): string[] {
  const project = projectId === undefined ? [] : [`project ${printableLine(projectId)}`];
  return [
    ...(pinned ? ["pinned"] : []),
    ...(validTo === undefined ? [] : [`until ${moment(validTo)}`]),
    ...(archivedAt === undefined ? [] : [`archived ${moment(archivedAt)}`]),
    ...(scope === "system" ? ["visible to everyone"] : scope === "project-shared" ? ["shared"] : []),
    ...project,
  ];
}

/** Speaker, session and time of a source. */
export function originOf({ speaker, sessionId, at }: Omit<MemorySource, "quote">): string {
  const lines = [
    ...(speaker === undefined ? [] : [printableLine(speaker)]),
    ...(sessionId === undefined ? [] : [`session ${printableLine(sessionId)}`]),
    ...(at === undefined ? [] : [moment(at)]),
  ];
  return lines.join(" · ");
}

/** Journal entries to search for the last change. */
const LATEST = 50;

/** Id of the journal entry with the last change of an item. */
export async function lastChangeOf(memory: MemoryService, id: string): Promise<string | undefined> {
  const journal = await memory.journal({ limit: LATEST });
  return journal.find(({ changes }) => changes.some((change) => change.id === id))?.id;
}

/** The command that undoes a change. */
export function undoHint(journalId: string | undefined): string[] {
  return journalId === undefined ? [] : [`Undo: throughline undo ${printableLine(journalId)}`];
}
