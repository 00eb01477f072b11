import type { ClientMemory, ThroughlineClient } from "@throughline/server/client";
import { messageOf } from "throughline/internal/util";
import { Notifier } from "../../app/notifier.ts";
import { askServer } from "../../server/ask-server.ts";
import { useLoaded } from "../../server/use-server.ts";
import { useSnapshot } from "../../ui/use-snapshot.ts";

// Calls of the server's memory routes. The project * selects the memories of all projects.

type Calls = ThroughlineClient["memories"];
type Answer<Call extends (...values: never[]) => Promise<unknown>> = Awaited<ReturnType<Call>>;

export type StoredMemory = ClientMemory;
export type MemoryKind = StoredMemory["kind"];
export type MemoryPage = Answer<Calls["browse"]>;
export type ListedMemory = MemoryPage["items"][number];
export type MemoryFacets = Answer<Calls["facets"]>;
export type MemoryStatus = keyof MemoryFacets["statuses"];
type MemoryHistory = Answer<Calls["history"]>;
export type MemoryEvidence = Answer<Calls["evidence"]>["items"][number];
export type ForeignAudit = Answer<Calls["auditStore"]>;
export type OwnAudit = Answer<Calls["audit"]>;
export type AuditKind = keyof OwnAudit["counts"];
type Contradictions = Answer<ThroughlineClient["contradictions"]["list"]>;
export type Contradiction = Contradictions["items"][number];
export type Consolidated = Answer<ThroughlineClient["consolidate"]>;
export type PlannedChange = NonNullable<Consolidated["changes"]>[number];
export type AssembledContext = Answer<ThroughlineClient["context"]["assemble"]>;
export type ContextItem = AssembledContext["receipt"]["items"][number];
export type ContextMiss = AssembledContext["receipt"]["near_misses"][number];
export type Tier = ContextItem["tier"];

export type Query = Readonly<Record<string, string | number | undefined>>;

/** The address of a route with its query, for memories of all projects unless the query names one. */
function memoryPath(path: string, query: Query = {}): string {
  const given = Object.entries({ project: "*", ...query }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return `${path}?${new URLSearchParams(given)}`;
}

const of = (id: string, rest = "") => `/memories/${encodeURIComponent(id)}${rest}`;

type Patch = Pick<Parameters<Calls["update"]>[1], "archived" | "category" | "pinned" | "reviewed" | "text">;

/** Changes a memory: text, pin, archive or review. */
export function patchMemory(id: string, body: Patch): Promise<StoredMemory> {
  return askServer(memoryPath(of(id)), { method: "PATCH", body });
}

/** Deletes a memory permanently. */
export function eraseMemory(id: string): Promise<unknown> {
  return askServer(memoryPath(of(id)), { method: "DELETE" });
}

export function readMemory(id: string, signal?: AbortSignal): Promise<StoredMemory> {
  return askServer(memoryPath(of(id)), signal && { signal });
}

export function readHistory(id: string, asOf: string | undefined, signal?: AbortSignal): Promise<MemoryHistory> {
  return askServer(memoryPath(of(id, "/history"), { as_of: asOf }), signal && { signal });
}

export function readEvidence(id: string, signal?: AbortSignal): Promise<Answer<Calls["evidence"]>> {
  return askServer(memoryPath(of(id, "/evidence")), signal && { signal });
}

export function browseMemories(query: Query, signal?: AbortSignal): Promise<MemoryPage> {
  return askServer(memoryPath("/memories/browse", query), signal && { signal });
}

export function readFacets(signal?: AbortSignal): Promise<MemoryFacets> {
  return askServer(memoryPath("/memories/facets"), signal && { signal });
}

export function listConflicts(cursor: string | undefined, signal?: AbortSignal): Promise<Contradictions> {
  return askServer(memoryPath("/contradictions", { status: "open", limit: 20, cursor }), signal && { signal });
}

export type Resolution = Parameters<ThroughlineClient["contradictions"]["resolve"]>[1];

export function resolveConflict(id: string, body: Resolution): Promise<Contradiction> {
  return askServer(memoryPath(`/contradictions/${encodeURIComponent(id)}/resolve`), { method: "POST", body });
}

export function consolidate(isPreview: boolean, signal: AbortSignal): Promise<Consolidated> {
  return askServer(memoryPath("/consolidate"), { method: "POST", body: { dry_run: isPreview }, signal });
}

export function undoEntry(journalId: string): Promise<unknown> {
  return askServer(memoryPath(`/journal/${encodeURIComponent(journalId)}/undo`), { method: "POST" });
}

/** Undoes the last change of an item. */
export async function undoChangeOf(id: string): Promise<void> {
  const path = memoryPath("/journal", { limit: 20 });
  const { items } = await askServer<Answer<ThroughlineClient["journal"]["list"]>>(path);
  const entry = items.find(({ changes }) => changes.some((change) => change.id === id));
  if (entry !== undefined) await undoEntry(entry.id);
}

/** Findings so far, and the progress of the audit. */
export function auditStored(query: Query, signal?: AbortSignal): Promise<OwnAudit> {
  return askServer(memoryPath("/memories/audit", { ...query, wait: "false" }), signal && { signal });
}

export function auditText(
  data: string,
  page: Omit<Parameters<Calls["auditStore"]>[0], "data">,
  signal?: AbortSignal,
): Promise<ForeignAudit> {
  return askServer("/memories/audit", { method: "POST", body: { data, ...page }, ...(signal && { signal }) });
}

export function assembleContext(
  project: string | undefined,
  body: Readonly<Record<string, unknown>>,
): Promise<AssembledContext> {
  return askServer(memoryPath("/context/assemble", { project, preview: "true" }), { method: "POST", body });
}

interface Changes {
  /** Counts up with every change: lists and details are read again. */
  readonly version: number;
  /** The last change, for the notice and its undo. */
  readonly notice: { readonly text: string; readonly undo?: () => Promise<unknown> } | undefined;
}

/** Changes that this page made to memories. */
class MemoryChanges extends Notifier<Changes> {
  constructor() {
    super({ version: 0, notice: undefined });
  }

  /** Reports changed memories, with a notice for the user. */
  report(text: string, undo?: () => Promise<unknown>): void {
    const { version } = this.getSnapshot();
    this.set({ version: version + 1, notice: undo === undefined ? { text } : { text, undo } });
  }

  /** Reports a problem; nothing was changed. */
  fail(error: unknown): void {
    this.set({ notice: { text: messageOf(error) } });
  }

  dismiss(): void {
    this.set({ notice: undefined });
  }
}

export const memoryChanges = new MemoryChanges();

/** Reads from the server, and reads again after every change of a memory. */
export function useRequest<T>(key: string, load: (signal: AbortSignal) => Promise<T>) {
  const { version } = useSnapshot(memoryChanges);
  return useLoaded(key, load, { version, explain: messageOf });
}
