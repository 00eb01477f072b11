import type { z } from "@hono/zod-openapi";
import { checkOptions } from "throughline/internal/util";
import type { CamelCased } from "../api/camel-case.ts";
import type {
  ImportRecordSchema,
  JobSchema,
  JobStateSchema,
  ProjectsSchema,
  UndoneImportSchema,
} from "../api/schemas/admin.ts";
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
  ErasedSchema,
  HitSchema,
  ImportedSchema,
  IngestBody,
  IngestedSchema,
  JournalEntrySchema,
  MemorySchema,
  PatchBody,
  RememberBody,
  RememberedSchema,
  ResolveBody,
  SearchBody,
} from "../api/schemas/memory.ts";
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
import {
  type Call,
  CLIENT_RULES,
  type ClientOptions,
  createCall,
  type ListenOptions,
  type Request,
  readEvents,
  type ServerEvent,
} from "./call-server.ts";
import { checkFields } from "./request-fields.ts";

/** Arguments are in camelCase; the requests have the names of the HTTP API. */
type Input<T extends z.ZodType> = CamelCased<z.input<T>>;
type Output<T extends z.ZodType> = z.output<T>;

/** A memory, as the HTTP API returns it. */
export type ClientMemory = Output<typeof MemorySchema>;
/** A prepared turn, as the HTTP API returns it. */
export type ClientTurn = Output<typeof TurnSchema>;
type Contradiction = Output<typeof ContradictionSchema>;

interface Page<T> {
  readonly items: readonly T[];
  readonly next_cursor: string | null;
}

interface WindowPage extends Page<Output<typeof WindowMessageSchema>> {
  /** Tokens and number of all messages. */
  readonly tokens: number;
  readonly total: number;
}

type Edit = Output<typeof EditSchema>;

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

interface Listed {
  readonly session_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly appended: number;
  readonly compactions: number;
  readonly receipts: number;
}

/** Without the unknown types of numbers in a URL. */
type BrowsePage = Omit<Partial<Input<typeof BrowseQuery>>, "offset" | "limit"> & PagePosition;
type AuditPage = Omit<Partial<Input<typeof AuditQuery>>, "offset" | "limit"> & PagePosition;

interface PagePosition {
  readonly offset?: number;
  readonly limit?: number;
}

interface JobQuery extends PageQuery {
  readonly state?: Output<typeof JobStateSchema>;
}

/**
 * Creates a client for a Throughline server. Its methods send the requests of the HTTP API. Their arguments have the
 * fields that `/docs` of a running server lists, in camelCase; results are returned as the server sends them.
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
    consolidate: (body: Input<typeof ConsolidateBody> = {}): Promise<Output<typeof ConsolidatedSchema>> =>
      post(call, ["consolidate"], body),
    contradictions: contradictionCalls(call),
    journal: journalCalls(call),
    projects: (): Promise<Output<typeof ProjectsSchema>> => call({ method: "GET", path: ["projects"] }),
    imports: importCalls(call),
    jobs: (query: JobQuery = {}): Promise<Page<Output<typeof JobSchema>>> =>
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
    assemble: (body: Input<typeof AssembleBody> = {}): Promise<Output<typeof AssembledSchema>> =>
      ask(call, ["context", "assemble"], body),
    predict: (body: Input<typeof PredictBody>): Promise<Output<typeof PredictionSchema>> =>
      ask(call, ["context", "predict"], body),
    signal: (body: Input<typeof SignalBody>): Promise<void> => post(call, ["context", "signals"], body),
    expand: (pointer: string): Promise<Output<typeof ExpandedSchema>> => ask(call, ["context", "expand"], { pointer }),
  };
}

function memoryCalls(call: Call) {
  const of = (id: string, ...rest: readonly string[]) => ["memories", id, ...rest];
  return {
    remember: (body: Input<typeof RememberBody>): Promise<Output<typeof RememberedSchema>> =>
      post(call, ["memories"], body),
    list: (query: MemoryQuery = {}): Promise<Page<ClientMemory>> =>
      call({ method: "GET", path: ["memories"], query: { ...query } }),
    search: (body: Input<typeof SearchBody>): Promise<{ readonly items: readonly Output<typeof HitSchema>[] }> =>
      ask(call, ["memories", "search"], body),
    ingest: (body: Input<typeof IngestBody>): Promise<Output<typeof IngestedSchema>> =>
      post(call, ["memories", "ingest"], body),
    browse: (query: BrowsePage = {}): Promise<Output<typeof BrowsePageSchema>> =>
      call({ method: "GET", path: ["memories", "browse"], query: { ...query } }),
    facets: (): Promise<Output<typeof FacetsSchema>> => call({ method: "GET", path: ["memories", "facets"] }),
    history: (id: string, query: { readonly asOf?: string } = {}): Promise<Output<typeof HistorySchema>> =>
      call({ method: "GET", path: of(id, "history"), query: { ...query } }),
    evidence: (id: string): Promise<Output<typeof EvidenceSchema>> => call({ method: "GET", path: of(id, "evidence") }),
    audit: (query: AuditPage = {}): Promise<Output<typeof AuditSchema>> =>
      call({ method: "GET", path: ["memories", "audit"], query: { ...query } }),
    auditStore: (body: Input<typeof AuditBody>): Promise<Output<typeof ForeignAuditSchema>> =>
      ask(call, ["memories", "audit"], body),
    get: (id: string): Promise<ClientMemory> => call({ method: "GET", path: of(id) }),
    update: (id: string, body: Input<typeof PatchBody>): Promise<ClientMemory> =>
      call({ method: "PATCH", path: of(id), body }),
    pin: (id: string, pinned = true): Promise<ClientMemory> => post(call, of(id, "pin"), { pinned }),
    forget: (id: string): Promise<ClientMemory> => call({ method: "POST", path: of(id, "forget") }),
    purge: (id: string): Promise<Output<typeof ErasedSchema>> => call({ method: "DELETE", path: of(id) }),
    cite: (id: string, body: { readonly query?: string } = {}): Promise<void> => post(call, of(id, "cite"), body),
    ignore: (id: string): Promise<void> => call({ method: "POST", path: of(id, "ignore") }),
    export: ({ allProjects = false }: { readonly allProjects?: boolean } = {}): Promise<Record<string, unknown>> =>
      call({ method: "GET", path: ["memories", "export"], query: { allProjects } }),
    import: (
      data: unknown,
      { dryRun = false }: { readonly dryRun?: boolean } = {},
    ): Promise<Output<typeof ImportedSchema>> => post(call, ["memories", "import"], { data, dryRun }),
  };
}

function sessionCalls(call: Call, options: ClientOptions) {
  const of = (id: string, ...rest: readonly string[]) => ["sessions", id, ...rest];
  const get = <T>(path: Request["path"], query: Request["query"] = {}) => call<T>({ method: "GET", path, query });
  return {
    create: (body: Input<typeof CreateSessionBody> = {}): Promise<Output<typeof SessionSchema>> =>
      post(call, ["sessions"], body),
    list: (query: PageQuery = {}): Promise<Page<Listed>> => get(["sessions"], { ...query }),
    get: (id: string): Promise<Output<typeof SessionSchema>> => get(of(id)),
    purge: (id: string): Promise<void> => call({ method: "DELETE", path: of(id) }),
    append: (id: string, messages: Input<typeof AppendBody>["messages"]): Promise<Output<typeof AppendedSchema>> =>
      post(call, of(id, "messages"), { messages }),
    history: (id: string, query: PageQuery = {}): Promise<Page<Output<typeof MessageSchema>>> =>
      get(of(id, "messages"), { ...query }),
    prepare: (id: string, body: Input<typeof PrepareBody> = {}, query: PrepareQuery = {}): Promise<ClientTurn> =>
      call({ method: "POST", path: of(id, "prepare"), query: { ...query }, body }),
    compact: (id: string, body: Input<typeof CompactBody> = {}): Promise<Output<typeof CompactedSchema>> =>
      post(call, of(id, "compact"), body),
    preview: (id: string, body: Input<typeof PreviewBody> = {}): Promise<Output<typeof PreviewSchema>> =>
      ask(call, of(id, "preview"), body),
    restore: (id: string, compactionId: string): Promise<void> => post(call, of(id, "restore"), { compactionId }),
    /** Messages of the present window. */
    window: (id: string, query: PageQuery = {}): Promise<WindowPage> => get(of(id, "window"), { ...query }),
    edit: (id: string, body: Input<typeof EditBody>): Promise<Edit> => post(call, of(id, "edits"), body),
    edits: (id: string): Promise<{ readonly items: readonly Edit[] }> => get(of(id, "edits")),
    undoEdit: (id: string, editId: string): Promise<void> => post(call, of(id, "edits", "undo"), { editId }),
    recall: (id: string, handle: string): Promise<Output<typeof RecalledSchema>> =>
      ask(call, of(id, "recall"), { handle }),
    observe: (id: string, body: Input<typeof ObserveBody>): Promise<void> => post(call, of(id, "observe"), body),
    compactions: (id: string): Promise<{ readonly items: readonly Output<typeof CompactionSchema>[] }> =>
      get(of(id, "compactions")),
    receipts: (
      id: string,
      query: Pick<PageQuery, "limit"> = {},
    ): Promise<{ readonly items: readonly Output<typeof ReceiptSchema>[] }> => get(of(id, "receipts"), { ...query }),
    /** Events of one session. */
    events: (id: string, listen?: ListenOptions): AsyncGenerator<ServerEvent> =>
      readEvents(options, of(id, "events"), listen),
  };
}

function contradictionCalls(call: Call) {
  return {
    list: (query: PageQuery & { readonly status?: Contradiction["status"] } = {}): Promise<Page<Contradiction>> =>
      call({ method: "GET", path: ["contradictions"], query: { ...query } }),
    resolve: (id: string, body: Input<typeof ResolveBody>): Promise<Contradiction> =>
      post(call, ["contradictions", id, "resolve"], body),
  };
}

function importCalls(call: Call) {
  return {
    list: (
      query: Pick<PageQuery, "limit"> = {},
    ): Promise<{ readonly items: readonly Output<typeof ImportRecordSchema>[] }> =>
      call({ method: "GET", path: ["imports"], query: { ...query } }),
    undo: (
      id: string,
      { dryRun = false }: { readonly dryRun?: boolean } = {},
    ): Promise<Output<typeof UndoneImportSchema>> => post(call, ["imports", id, "undo"], { dryRun }),
  };
}

function journalCalls(call: Call) {
  return {
    list: (
      query: Pick<PageQuery, "limit"> = {},
    ): Promise<{ readonly items: readonly Output<typeof JournalEntrySchema>[] }> =>
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
