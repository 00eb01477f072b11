import type { z } from "@hono/zod-openapi";
import { checkOptions } from "throughline/internal";
import type {
  AuditBody,
  AuditQuery,
  AuditSchema,
  BrowsePageSchema,
  BrowseQuery,
  EvidenceSchema,
  FacetsSchema,
  ForeignAuditSchema,
  HistorySchema,
} from "../api/schemas/browse.ts";
import type {
  AssembleBody,
  AssembledSchema,
  ExpandedSchema,
  PredictBody,
  PredictionSchema,
  SignalBody,
} from "../api/schemas/context.ts";
import type {
  ConsolidateBody,
  ConsolidatedSchema,
  ContradictionSchema,
  JournalEntrySchema,
  ResolveBody,
} from "../api/schemas/contradiction.ts";
import type {
  ErasedSchema,
  HitSchema,
  ImportedSchema,
  IngestBody,
  IngestedSchema,
  MemorySchema,
  PatchBody,
  RememberBody,
  RememberedSchema,
  SearchBody,
} from "../api/schemas/memory.ts";
import type { ImportRecordSchema, ProjectsSchema, UndoneImportSchema } from "../api/schemas/project.ts";
import type { JobSchema, JobStateSchema } from "../api/schemas/server.ts";
import type {
  AppendBody,
  AppendedSchema,
  CompactBody,
  CompactedSchema,
  CompactionSchema,
  CreateSessionBody,
  EditBody,
  EditSchema,
  MessageSchema,
  ObserveBody,
  PrepareBody,
  PreviewBody,
  PreviewSchema,
  RecalledSchema,
  ReceiptSchema,
  SessionSchema,
  TurnSchema,
  WindowMessageSchema,
} from "../api/schemas/session.ts";
import { type Call, CLIENT_RULES, type ClientOptions, createCall, type Request } from "./call-server.ts";
import { checkFields } from "./request-fields.ts";
import { type ListenOptions, readEvents, type ServerEvent } from "./server-events.ts";

type In<T extends z.ZodType> = z.input<T>;
type Out<T extends z.ZodType> = z.output<T>;

/** A memory, as the HTTP API returns it. */
export type ClientMemory = Out<typeof MemorySchema>;
/** A prepared turn, as the HTTP API returns it. */
export type ClientTurn = Out<typeof TurnSchema>;
type Contradiction = Out<typeof ContradictionSchema>;

interface Page<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
}

interface WindowPage extends Page<Out<typeof WindowMessageSchema>> {
  /** Tokens and number of all messages. */
  readonly tokens: number;
  readonly total: number;
}

type Edit = Out<typeof EditSchema>;

interface PageQuery {
  readonly cursor?: string;
  readonly limit?: number;
}

interface PrepareQuery {
  /** `full` answers with the whole receipt instead of its id and totals. */
  readonly receipt?: "totals" | "full";
}

interface MemoryQuery extends PageQuery {
  readonly all?: boolean;
  readonly kind?: ClientMemory["kind"];
  readonly category?: NonNullable<ClientMemory["category"]>;
  readonly scope?: ClientMemory["scope"];
}

/** Values of a query. */
type Fields = Readonly<Record<string, string | number>>;

interface Listed {
  readonly session_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly appended: number;
  readonly compactions: number;
  readonly receipts: number;
}

interface JobQuery extends PageQuery {
  readonly state?: Out<typeof JobStateSchema>;
}

/**
 * Creates a client for a Throughline server. Its methods send the requests of the HTTP API; their bodies and results
 * have the fields that `/docs` of a running server lists.
 *
 * @param options URL of the server (default `http://127.0.0.1:4870`), token and project. Requests reject with
 *   `ProblemError` if the server refuses them.
 * @throws InvalidOptionError if an option is invalid or unknown. Methods reject with it if a field of their body, query or
 *   options is unknown.
 *
 * @example
 * const client = createClient({ url: "http://127.0.0.1:4870" });
 * await client.memories.remember({ text: "We deploy on Fridays." });
 * const { items } = await client.memories.search({ query: "When do we deploy?" });
 */
export function createClient(options: ClientOptions = {}) {
  checkOptions("createClient", options, CLIENT_RULES);
  const calls = createCalls(options);
  checkFields(calls);
  return calls;
}

/** A client from `createClient`. */
export type ThroughlineClient = ReturnType<typeof createClient>;

/** Methods of a client. */
export type ClientCalls = ReturnType<typeof createCalls>;

function createCalls(options: ClientOptions) {
  const call = createCall(options);
  return {
    context: contextCalls(call),
    memories: memoryCalls(call),
    sessions: sessionCalls(call, options),
    consolidate: (body: In<typeof ConsolidateBody> = {}): Promise<Out<typeof ConsolidatedSchema>> =>
      post(call, ["consolidate"], body),
    contradictions: contradictionCalls(call),
    journal: journalCalls(call),
    projects: (): Promise<Out<typeof ProjectsSchema>> => call({ method: "GET", path: ["projects"] }),
    imports: importCalls(call),
    jobs: (query: JobQuery = {}): Promise<Page<Out<typeof JobSchema>>> =>
      call({ method: "GET", path: ["jobs"], query: { ...query } }),
    /** Events of the caller's sessions and memories. */
    events: (listen?: ListenOptions): AsyncGenerator<ServerEvent> => readEvents(options, ["events"], listen),
  };
}

/** A read with a body, because the question may be too long for a URL. */
function ask<T>(call: Call, path: Request["path"], body: unknown): Promise<T> {
  return call<T>({ method: "POST", path, body, isRead: true });
}

function post<T>(call: Call, path: Request["path"], body: unknown = {}): Promise<T> {
  return call<T>({ method: "POST", path, body });
}

function contextCalls(call: Call) {
  return {
    assemble: (body: In<typeof AssembleBody> = {}): Promise<Out<typeof AssembledSchema>> =>
      ask(call, ["context", "assemble"], body),
    predict: (body: In<typeof PredictBody>): Promise<Out<typeof PredictionSchema>> =>
      ask(call, ["context", "predict"], body),
    signal: (body: In<typeof SignalBody>): Promise<void> => post(call, ["context", "signals"], body),
    expand: (pointer: string): Promise<Out<typeof ExpandedSchema>> => ask(call, ["context", "expand"], { pointer }),
  };
}

function memoryCalls(call: Call) {
  const of = (id: string, ...rest: readonly string[]) => ["memories", id, ...rest];
  return {
    remember: (body: In<typeof RememberBody>): Promise<Out<typeof RememberedSchema>> => post(call, ["memories"], body),
    list: (query: MemoryQuery = {}): Promise<Page<ClientMemory>> =>
      call({ method: "GET", path: ["memories"], query: { ...query } }),
    search: (body: In<typeof SearchBody>): Promise<{ readonly items: readonly Out<typeof HitSchema>[] }> =>
      ask(call, ["memories", "search"], body),
    ingest: (body: In<typeof IngestBody>): Promise<Out<typeof IngestedSchema>> =>
      post(call, ["memories", "ingest"], body),
    browse: (query: Partial<In<typeof BrowseQuery>> = {}): Promise<Out<typeof BrowsePageSchema>> =>
      call({ method: "GET", path: ["memories", "browse"], query: { ...(query as Fields) } }),
    facets: (): Promise<Out<typeof FacetsSchema>> => call({ method: "GET", path: ["memories", "facets"] }),
    history: (id: string, query: { readonly as_of?: string } = {}): Promise<Out<typeof HistorySchema>> =>
      call({ method: "GET", path: of(id, "history"), query: { ...query } }),
    evidence: (id: string): Promise<Out<typeof EvidenceSchema>> => call({ method: "GET", path: of(id, "evidence") }),
    audit: (query: Partial<In<typeof AuditQuery>> = {}): Promise<Out<typeof AuditSchema>> =>
      call({ method: "GET", path: ["memories", "audit"], query: { ...(query as Fields) } }),
    auditStore: (body: In<typeof AuditBody>): Promise<Out<typeof ForeignAuditSchema>> =>
      ask(call, ["memories", "audit"], body),
    get: (id: string): Promise<ClientMemory> => call({ method: "GET", path: of(id) }),
    update: (id: string, body: In<typeof PatchBody>): Promise<ClientMemory> =>
      call({ method: "PATCH", path: of(id), body }),
    pin: (id: string, pinned = true): Promise<ClientMemory> => post(call, of(id, "pin"), { pinned }),
    forget: (id: string): Promise<ClientMemory> => call({ method: "POST", path: of(id, "forget") }),
    purge: (id: string): Promise<Out<typeof ErasedSchema>> => call({ method: "DELETE", path: of(id) }),
    cite: (id: string, body: { readonly query?: string } = {}): Promise<void> => post(call, of(id, "cite"), body),
    ignore: (id: string): Promise<void> => call({ method: "POST", path: of(id, "ignore") }),
    export: ({ allProjects = false }: { readonly allProjects?: boolean } = {}): Promise<Record<string, unknown>> =>
      call({ method: "GET", path: ["memories", "export"], query: { all_projects: allProjects } }),
    import: (
      data: unknown,
      { dryRun = false }: { readonly dryRun?: boolean } = {},
    ): Promise<Out<typeof ImportedSchema>> => post(call, ["memories", "import"], { data, dry_run: dryRun }),
  };
}

function sessionCalls(call: Call, options: ClientOptions) {
  const of = (id: string, ...rest: readonly string[]) => ["sessions", id, ...rest];
  const get = <T>(path: Request["path"], query: Request["query"] = {}) => call<T>({ method: "GET", path, query });
  return {
    create: (body: In<typeof CreateSessionBody> = {}): Promise<Out<typeof SessionSchema>> =>
      post(call, ["sessions"], body),
    list: (query: PageQuery = {}): Promise<Page<Listed>> => get(["sessions"], { ...query }),
    get: (id: string): Promise<Out<typeof SessionSchema>> => get(of(id)),
    purge: (id: string): Promise<void> => call({ method: "DELETE", path: of(id) }),
    append: (id: string, messages: In<typeof AppendBody>["messages"]): Promise<Out<typeof AppendedSchema>> =>
      post(call, of(id, "messages"), { messages }),
    history: (id: string, query: PageQuery = {}): Promise<Page<Out<typeof MessageSchema>>> =>
      get(of(id, "messages"), { ...query }),
    prepare: (id: string, body: In<typeof PrepareBody> = {}, query: PrepareQuery = {}): Promise<ClientTurn> =>
      call({ method: "POST", path: of(id, "prepare"), query: { ...query }, body }),
    compact: (id: string, body: In<typeof CompactBody> = {}): Promise<Out<typeof CompactedSchema>> =>
      post(call, of(id, "compact"), body),
    preview: (id: string, body: In<typeof PreviewBody> = {}): Promise<Out<typeof PreviewSchema>> =>
      ask(call, of(id, "preview"), body),
    restore: (id: string, compactionId: string): Promise<void> =>
      post(call, of(id, "restore"), { compaction_id: compactionId }),
    /** Messages of the present window. */
    window: (id: string, query: PageQuery = {}): Promise<WindowPage> => get(of(id, "window"), { ...query }),
    edit: (id: string, body: In<typeof EditBody>): Promise<Edit> => post(call, of(id, "edits"), body),
    edits: (id: string): Promise<{ readonly items: readonly Edit[] }> => get(of(id, "edits")),
    undoEdit: (id: string, editId: string): Promise<void> => post(call, of(id, "edits", "undo"), { edit_id: editId }),
    recall: (id: string, handle: string): Promise<Out<typeof RecalledSchema>> =>
      ask(call, of(id, "recall"), { handle }),
    observe: (id: string, body: In<typeof ObserveBody>): Promise<void> => post(call, of(id, "observe"), body),
    compactions: (id: string): Promise<{ readonly items: readonly Out<typeof CompactionSchema>[] }> =>
      get(of(id, "compactions")),
    receipts: (
      id: string,
      query: Pick<PageQuery, "limit"> = {},
    ): Promise<{ readonly items: readonly Out<typeof ReceiptSchema>[] }> => get(of(id, "receipts"), { ...query }),
    /** Events of one session. */
    events: (id: string, listen?: ListenOptions): AsyncGenerator<ServerEvent> =>
      readEvents(options, of(id, "events"), listen),
  };
}

function contradictionCalls(call: Call) {
  return {
    list: (query: PageQuery & { readonly status?: Contradiction["status"] } = {}): Promise<Page<Contradiction>> =>
      call({ method: "GET", path: ["contradictions"], query: { ...query } }),
    resolve: (id: string, body: In<typeof ResolveBody>): Promise<Contradiction> =>
      post(call, ["contradictions", id, "resolve"], body),
  };
}

function importCalls(call: Call) {
  return {
    list: (
      query: Pick<PageQuery, "limit"> = {},
    ): Promise<{ readonly items: readonly Out<typeof ImportRecordSchema>[] }> =>
      call({ method: "GET", path: ["imports"], query: { ...query } }),
    undo: (
      id: string,
      { dryRun = false }: { readonly dryRun?: boolean } = {},
    ): Promise<Out<typeof UndoneImportSchema>> => post(call, ["imports", id, "undo"], { dry_run: dryRun }),
  };
}

function journalCalls(call: Call) {
  return {
    list: (
      query: Pick<PageQuery, "limit"> = {},
    ): Promise<{ readonly items: readonly Out<typeof JournalEntrySchema>[] }> =>
      call({
        method: "GET",
        path: ["journal"],
        query: { ...query },
      }),
    undo: (id: string): Promise<{ readonly memories: readonly ClientMemory[]; readonly journal_id?: string }> =>
      call({
        method: "POST",
        path: ["journal", id, "undo"],
      }),
  };
}
