import { InvalidOptionError } from "../../errors/invalid-option-error.ts";
import { omitUndefined } from "../../internal/json.ts";
import { yieldToEventLoop } from "../../internal/yield-to-event-loop.ts";
import type { FactCategory, Memory, MemoryKind, Turn } from "../../ports/memory.ts";
import { type Audit, auditMemories } from "../audit/audit-memories.ts";
import { type ForeignStore, readForeignStore } from "../audit/read-foreign-store.ts";
import { factVectors, sourceTurns } from "../service/consolidate-spaces.ts";
import { embed } from "../service/embed-texts.ts";
import { allMemories } from "../service/export-memories.ts";
import { findMemories, requireMemory } from "../service/find-memory.ts";
import { listContradictions } from "../service/list-contradictions.ts";
import type { MemoryContext } from "../service/memory-context.ts";
import { readTime } from "../service/read-time.ts";
import { findRelevant } from "../service/recall-memories.ts";
import type { SearchSpaces } from "../service/search-spaces.ts";
import { isVisible, visibleSpaces } from "../service/spaces.ts";
import { type MemoryEvidence, readEvidence } from "./memory-evidence.ts";
import { type MemoryHistory, readHistory } from "./memory-history.ts";
import { isMatch, type MemoryConditions, type MemoryRow, type MemoryStatus } from "./memory-row.ts";
import { MemoryTable } from "./memory-table.ts";

const DEFAULT_LIMIT = 50;
/** Hits of a search that the conditions select from. */
const MAX_HITS = 500;
/** Texts that are embedded at once. */
const BATCH = 256;

/** A page of memories. All conditions must hold. */
export interface BrowseOptions extends MemoryConditions {
  /** Only memories that match this question or these words, best first. Ended and archived memories are not found. */
  readonly query?: string;
  /** Number of memories before the page. Default: 0. */
  readonly offset?: number;
  /** Maximum number of memories of the page. Default: 50. */
  readonly limit?: number;
  /** Default: the last mentioned first. */
  readonly order?: "newest" | "oldest";
}

/** A memory of a page. */
export interface BrowsedMemory {
  readonly memory: Memory;
  /** Reasons for the match with the query, as readable phrases. Empty without a query. */
  readonly reasons: readonly string[];
}

/** A page of memories, and the number of all that the conditions select. */
export interface MemoryPage {
  readonly total: number;
  readonly items: readonly BrowsedMemory[];
}

/** Numbers of memories by the values that a list can be filtered by. */
export interface MemoryFacets {
  readonly kinds: Readonly<Record<MemoryKind, number>>;
  readonly categories: Readonly<Record<FactCategory, number>>;
  readonly statuses: Readonly<Record<MemoryStatus, number>>;
  /** Most memories first. An entry without an id counts memories outside of projects. */
  readonly projects: readonly { readonly id?: string; readonly count: number }[];
  /** Most memories first. */
  readonly people: readonly { readonly name: string; readonly count: number }[];
  /** Current memories that nobody has reviewed. */
  readonly toReview: number;
}

/** An audit with the memories that its findings name. */
export interface AuditReport extends Audit {
  readonly memories: ReadonlyMap<string, Memory>;
}

/** An audit of memories that another program stores. */
export interface ForeignAudit extends AuditReport {
  readonly format: ForeignStore["format"];
  readonly hasUsage: boolean;
}

/**
 * Pages, histories, sources and audits of memories, for tools that show them, from `tl.memory.browser()`. Reading here does
 * not count as use.
 */
export class MemoryBrowser {
  readonly #context: MemoryContext;
  readonly #search: () => Promise<SearchSpaces>;
  readonly #table: MemoryTable;
  #audited: { readonly revision: string; readonly report: Promise<AuditReport> } | undefined;

  constructor(context: MemoryContext, search: () => Promise<SearchSpaces>) {
    this.#context = context;
    this.#search = search;
    this.#table = new MemoryTable(context);
  }

  /**
   * Returns a page of memories.
   * @param options Query, conditions, order and place of the page.
   * @example const { total, items } = await (await tl.memory.browser()).page({ kinds: ["fact"], limit: 20 });
   */
  async page(options: BrowseOptions = {}): Promise<MemoryPage> {
    const { query = "", offset = 0, limit = DEFAULT_LIMIT, order = "newest", ...conditions } = options;
    if (!(Number.isInteger(offset) && offset >= 0)) throw new InvalidOptionError("offset", offset, "0 or more");
    if (!(Number.isInteger(limit) && limit >= 1)) throw new InvalidOptionError("limit", limit, "1 or more");
    const { rows } = await this.#table.open();
    const found = query.trim() === "" ? undefined : await this.#find(query, rows);
    const wanted = (found?.rows ?? rows).filter((row) => isMatch(row, conditions));
    if (order === "oldest" && found === undefined) wanted.reverse();
    const shown = wanted.slice(offset, offset + limit);
    const memories = await findMemories(
      this.#context,
      shown.map(({ id }) => id),
    );
    const items = memories.map((memory) => ({ memory, reasons: found?.reasons.get(memory.id) ?? [] }));
    return { total: wanted.length, items };
  }

  /**
   * Counts memories by the values that a list can be filtered by.
   * @example const { toReview } = await (await tl.memory.browser()).facets();
   */
  async facets(): Promise<MemoryFacets> {
    const { rows } = await this.#table.open();
    return countFacets(rows);
  }

  /**
   * Returns the texts of a memory over time, with those of the memories that it replaced or was replaced by.
   * @param id Id of the memory.
   * @param options `asOf` is the time at which versions count as valid. Default: now.
   * @throws NotFoundError if there is no memory with this id.
   */
  async history(id: string, { asOf }: { readonly asOf?: number | string | Date } = {}): Promise<MemoryHistory> {
    const { rows } = await this.#table.open();
    const time = asOf === undefined ? this.#context.clock.now() : readTime("asOf", asOf);
    return readHistory(this.#context, rows, id, time);
  }

  /**
   * Returns the stored messages that a memory comes from, each with the range of the quoted words.
   * @param id Id of the memory.
   * @throws NotFoundError if there is no memory with this id.
   */
  async evidence(id: string): Promise<readonly MemoryEvidence[]> {
    return readEvidence(this.#context, (await requireMemory(this.#context, id)).memory);
  }

  /**
   * Returns memories and stored messages by id, for lists that have both.
   * @param ids Ids of memories and messages. Unknown ids are left out.
   */
  async items(ids: readonly string[]): Promise<ReadonlyMap<string, Memory | Turn>> {
    const found = new Map<string, Memory | Turn>();
    if (ids.length === 0) return found;
    const { memoryStore } = this.#context;
    for (const space of visibleSpaces(this.#context)) {
      const [memories, turns] = [memoryStore.get(space, "memories", ids), memoryStore.get(space, "turns", ids)];
      for (const item of [...(await memories), ...(await turns)]) {
        if (isVisible(item, this.#context) && !found.has(item.id)) found.set(item.id, item);
      }
    }
    return found;
  }

  /** Audits the stored memories. The result is kept until a memory changes. */
  async audit(): Promise<AuditReport> {
    const { revision } = await this.#table.open();
    if (this.#audited?.revision !== revision) {
      const report = this.#auditStored();
      this.#audited = { revision, report };
      report.catch(() => {
        this.#audited = undefined;
      });
    }
    return this.#audited.report;
  }

  /**
   * Audits memories that another program stores. Nothing is imported.
   * @param text Content of an export of mem0, of the `memory.json` of the MCP server, or of a Markdown file.
   * @throws InvalidOptionError if the text is empty or JSON of an unknown format.
   */
  async auditForeign(text: string): Promise<ForeignAudit> {
    const now = this.#context.clock.now();
    const { format, memories, hasUsage } = readForeignStore(text, now);
    const vectors = await this.#embed(memories);
    const audit = await auditMemories(memories, { now, hasUsage, vectors });
    return { ...audit, format, hasUsage, memories: new Map(memories.map((memory) => [memory.id, memory])) };
  }

  async #find(query: string, rows: readonly MemoryRow[]) {
    const options = { limit: MAX_HITS, from: "memories" } as const;
    const { hits } = await findRelevant(this.#context, await this.#search(), query, options);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return {
      rows: hits.flatMap(({ id }) => byId.get(id) ?? []),
      reasons: new Map(hits.map(({ id, reasons }) => [id, reasons])),
    };
  }

  async #auditStored(): Promise<AuditReport> {
    const context = this.#context;
    const contradictions = await listContradictions(context);
    const memories: Memory[] = [];
    const vectors = new Map<string, Float32Array>();
    const inserted = new Set<string>();
    for (const space of visibleSpaces(context)) {
      const stored = (await allMemories(context, space)).filter((memory) => isVisible(memory, context));
      memories.push(...stored);
      for (const [id, vector] of await factVectors(context, space, stored)) vectors.set(id, vector);
      for (const [key, turn] of await sourceTurns(context, space, stored)) if (turn.synthetic) inserted.add(key);
    }
    const isFromInsertedText = ({ source }: Memory) => inserted.has(`${source.sessionId}\n${source.messageId}`);
    const options = { now: context.clock.now(), contradictions, vectors, isFromInsertedText };
    const audit = await auditMemories(memories, options);
    return { ...audit, memories: new Map(memories.map((memory) => [memory.id, memory])) };
  }

  async #embed(memories: readonly Memory[]): Promise<ReadonlyMap<string, Float32Array>> {
    const vectors = new Map<string, Float32Array>();
    for (let start = 0; start < memories.length; start += BATCH) {
      const some = memories.slice(start, start + BATCH);
      const found = await embed(
        this.#context,
        some.map(({ levels }) => levels.full),
      );
      for (const [at, { id }] of some.entries()) {
        const vector = found?.[at];
        if (vector !== undefined) vectors.set(id, vector);
      }
      await yieldToEventLoop();
    }
    return vectors;
  }
}

function countFacets(rows: readonly MemoryRow[]): MemoryFacets {
  const count = <T>(of: (row: MemoryRow) => T) => {
    const counts = new Map<T, number>();
    for (const row of rows) counts.set(of(row), (counts.get(of(row)) ?? 0) + 1);
    return counts;
  };
  const most = <T>(counts: ReadonlyMap<T, number>) => [...counts].sort(([, a], [, b]) => b - a);
  const [kinds, categories, statuses] = [
    count(({ kind }) => kind),
    count(({ category }) => category),
    count(({ status }) => status),
  ];
  const of = <T>(counts: ReadonlyMap<T, number>, name: T): number => counts.get(name) ?? 0;
  return {
    kinds: {
      fact: of(kinds, "fact"),
      episode: of(kinds, "episode"),
      pattern: of(kinds, "pattern"),
      workflow: of(kinds, "workflow"),
    },
    categories: {
      identity: of(categories, "identity"),
      preference: of(categories, "preference"),
      project: of(categories, "project"),
    },
    statuses: {
      current: of(statuses, "current"),
      ended: of(statuses, "ended"),
      archived: of(statuses, "archived"),
    },
    projects: most(count(({ projectId }) => projectId)).map(([id, number]) => omitUndefined({ id, count: number })),
    people: most(count(({ person }) => person)).map(([name, number]) => ({ name, count: number })),
    toReview: rows.filter(({ isNew, status }) => isNew && status === "current").length,
  };
}
