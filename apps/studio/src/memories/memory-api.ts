import { askServer } from "../server/ask-server.ts";

// Calls of the server's memory routes. The project * selects the memories of all projects.

export type MemoryKind = "fact" | "episode" | "pattern" | "workflow";
export type MemoryStatus = "current" | "ended" | "archived";
export type AuditKind = "secret" | "contradiction" | "duplicate" | "recalled" | "unused";

interface MemorySource {
  readonly session_id?: string;
  readonly message_id?: string;
  readonly speaker?: string;
  readonly at?: string;
  readonly quote?: string;
}

export interface StoredMemory {
  readonly id: string;
  readonly kind: MemoryKind;
  readonly levels: { readonly full: string; readonly compressed: string };
  readonly category?: "identity" | "preference" | "project";
  readonly subject?: string;
  readonly aliases: readonly string[];
  readonly confidence: number;
  readonly mentions: number;
  readonly pinned: boolean;
  readonly by_hand: boolean;
  readonly owner: string;
  readonly project_id?: string;
  readonly scope: "user-private" | "project-shared" | "system";
  readonly last_seen_at: string;
  readonly valid_from: string;
  readonly valid_to?: string;
  readonly archived_at?: string;
  readonly reviewed_at?: string;
  readonly usage: { readonly retrieved: number; readonly cited: number };
  readonly source: MemorySource;
  readonly artifacts: readonly { readonly type: string; readonly ref: string }[];
}

export interface ListedMemory {
  readonly memory: StoredMemory;
  readonly reasons: readonly string[];
}

export interface MemoryPage {
  readonly total: number;
  readonly items: readonly ListedMemory[];
}

export interface MemoryFacets {
  readonly kinds: Readonly<Record<MemoryKind, number>>;
  readonly statuses: Readonly<Record<MemoryStatus, number>>;
  readonly projects: readonly { readonly id?: string; readonly count: number }[];
  readonly people: readonly { readonly name: string; readonly count: number }[];
  readonly to_review: number;
}

export interface MemoryHistory {
  readonly versions: readonly {
    readonly memory_id: string;
    readonly text: string;
    readonly from_at: string;
    readonly until_at?: string;
    readonly is_valid: boolean;
    readonly is_archived: boolean;
  }[];
  readonly changes: readonly { readonly journal_id: string; readonly at: string; readonly action: string }[];
}

export interface MemoryEvidence extends MemorySource {
  readonly message?: { readonly role: string; readonly text: string; readonly is_cut: boolean };
  readonly match?: { readonly start: number; readonly end: number };
  readonly is_verbatim?: boolean;
}

export interface Contradiction {
  readonly id: string;
  readonly memory_a: string;
  readonly memory_b: string;
  readonly reason: string;
}

export interface PlannedChange {
  readonly action: "merge" | "archive" | "contradiction" | "shorten";
  readonly id: string;
  readonly other?: string;
  readonly reason?: string;
  readonly text: string;
  readonly other_text?: string;
}

export interface Consolidated {
  readonly deduped: number;
  readonly compressed: number;
  readonly forgotten: number;
  readonly contradictions_found: number;
  readonly adjusted: number;
  readonly linked: number;
  readonly journal_id?: string;
  readonly changes?: readonly PlannedChange[];
}

export interface AuditResult {
  readonly checked: number;
  readonly counts: Readonly<Record<AuditKind, number>>;
  readonly total: number;
  readonly items: readonly {
    readonly kind: AuditKind;
    readonly reason: string;
    readonly memories: readonly { readonly id: string; readonly text: string; readonly created_at: string }[];
  }[];
  readonly format?: "throughline" | "mem0" | "mcp-memory" | "markdown";
  readonly has_usage?: boolean;
}

export type Tier = "critical" | "relevant" | "background" | "index";

export interface ContextItem {
  readonly id: string;
  readonly tier: Tier;
  readonly level: "full" | "summary" | "compressed" | "index";
  readonly tokens: number;
  readonly rule: string;
  readonly reasons: readonly string[];
  readonly text?: string;
  readonly is_message?: boolean;
}

export interface AssembledContext {
  readonly context: string;
  readonly token_count: number;
  readonly tiers: Readonly<Record<"tier1" | "tier2" | "tier3" | "tier4", number>>;
  readonly receipt: {
    readonly budget: number;
    readonly activity: string;
    readonly allotted: Readonly<Record<Tier, number>>;
    readonly items: readonly ContextItem[];
    readonly near_misses: readonly ContextItem[];
    readonly notes: readonly string[];
  };
}

export type Query = Readonly<Record<string, string | number | undefined>>;

/** The address of a route with its query, for memories of all projects unless the query names one. */
function memoryPath(path: string, query: Query = {}): string {
  const given = Object.entries({ project: "*", ...query }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return `${path}?${new URLSearchParams(given)}`;
}

const of = (id: string, rest = "") => `/memories/${encodeURIComponent(id)}${rest}`;

/** Changes a memory: text, pin, archive or review. */
export function patchMemory(id: string, body: Readonly<Record<string, unknown>>): Promise<StoredMemory> {
  return askServer(memoryPath(of(id)), { method: "PATCH", body });
}

export function readMemory(id: string, signal?: AbortSignal): Promise<StoredMemory> {
  return askServer(memoryPath(of(id)), signal && { signal });
}

export function readHistory(id: string, asOf: string | undefined, signal?: AbortSignal): Promise<MemoryHistory> {
  return askServer(memoryPath(of(id, "/history"), { as_of: asOf }), signal && { signal });
}

export function readEvidence(id: string, signal?: AbortSignal): Promise<{ readonly items: readonly MemoryEvidence[] }> {
  return askServer(memoryPath(of(id, "/evidence")), signal && { signal });
}

export function browseMemories(query: Query, signal?: AbortSignal): Promise<MemoryPage> {
  return askServer(memoryPath("/memories/browse", query), signal && { signal });
}

export function readFacets(signal?: AbortSignal): Promise<MemoryFacets> {
  return askServer(memoryPath("/memories/facets"), signal && { signal });
}

export function listConflicts(
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<{ readonly items: readonly Contradiction[]; readonly next_cursor: string | null }> {
  return askServer(memoryPath("/contradictions", { status: "open", limit: 20, cursor }), signal && { signal });
}

export function resolveConflict(id: string, body: Readonly<Record<string, unknown>>): Promise<Contradiction> {
  return askServer(memoryPath(`/contradictions/${encodeURIComponent(id)}/resolve`), { method: "POST", body });
}

export function consolidate(isPreview: boolean): Promise<Consolidated> {
  return askServer(memoryPath("/consolidate"), { method: "POST", body: { dry_run: isPreview } });
}

export function undoEntry(journalId: string): Promise<unknown> {
  return askServer(memoryPath(`/journal/${encodeURIComponent(journalId)}/undo`), { method: "POST" });
}

/** Undoes the last change of an item. */
export async function undoChangeOf(id: string): Promise<void> {
  const { items } = await askServer<{
    readonly items: readonly { readonly id: string; readonly changes: readonly { readonly id: string }[] }[];
  }>(memoryPath("/journal", { limit: 20 }));
  const entry = items.find(({ changes }) => changes.some((change) => change.id === id));
  if (entry !== undefined) await undoEntry(entry.id);
}

export function auditStored(query: Query, signal?: AbortSignal): Promise<AuditResult> {
  return askServer(memoryPath("/memories/audit", query), signal && { signal });
}

export function auditText(data: string, query: Readonly<Record<string, unknown>>): Promise<AuditResult> {
  return askServer("/memories/audit", { method: "POST", body: { data, ...query } });
}

export function assembleContext(project: string | undefined, body: unknown): Promise<AssembledContext> {
  return askServer(memoryPath("/context/assemble", { project, preview: "true" }), { method: "POST", body });
}
