import {
  AT_LEAST_ZERO,
  CHECKED_LATER,
  checkOptions,
  FLAG,
  type OptionRule,
  type OptionRules,
  oneOf,
  parseOptionTime,
  TEXT,
} from "../../errors/check-options.ts";
import { omitUndefined } from "../../internal/json.ts";
import { mapYielding, yieldToEventLoop } from "../../internal/yield-to-event-loop.ts";
import type { FactCategory, Memory, MemoryKind, Utterance } from "../../ports/memory.ts";
import { findMemories, requireMemory } from "../list-memories.ts";
import type { MemoryContext } from "../memory-context.ts";
import { CATEGORY, KIND_LIST, SCOPE } from "../memory-kinds.ts";
import { findRelevant } from "../recall/recall-memories.ts";
import type { SearchSpaces } from "../search/search-spaces.ts";
import { embed } from "../space/embed-texts.ts";
import { isVisible, visibleSpaces } from "../space/spaces.ts";
import { type Audit, auditMemories } from "./audit-memories.ts";
import { type MemoryEvidence, type MemoryHistory, readEvidence, readHistory } from "./memory-history.ts";
import {
  isMatch,
  lastMentionedFirst,
  type MemoryConditions,
  type MemoryRow,
  type MemoryRows,
  type MemoryStatus,
  MemoryTable,
} from "./memory-table.ts";
import { type ForeignStore, readForeignStore } from "./read-foreign-store.ts";
import { type AuditState, StoredAudit } from "./stored-audit.ts";

const DEFAULT_LIMIT = 50;
/** Hits of a search that the conditions select from. */
const MAX_HITS = 500;
/** Texts that are embedded at once. */
const BATCH = 256;
/** Memories up to the end of a page that is read without the rows of all memories. */
const MAX_UNSORTED = 1_000;

/** A page of memories. All conditions must match. */
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

const COUNT: OptionRule = [(value) => Number.isInteger(value) && Number(value) >= 0, "a whole number, 0 or more"];
const PAGE_RULES: OptionRules<BrowseOptions> = {
  query: TEXT,
  offset: COUNT,
  limit: [(value) => Number.isInteger(value) && Number(value) >= 1, "a whole number, 1 or more"],
  order: oneOf("newest", "oldest"),
  kinds: KIND_LIST,
  category: CATEGORY,
  scope: SCOPE,
  projectId: [(value) => typeof value === "string" || value === null, "the id of a project, or null"],
  person: TEXT,
  status: oneOf("current", "ended", "archived"),
  isNew: FLAG,
  since: AT_LEAST_ZERO,
  before: AT_LEAST_ZERO,
};

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
  /** Current memories that were extracted and not reviewed. */
  readonly toReview: number;
}

/** An audit of memories that another program stores. */
export interface ForeignAudit extends Audit {
  readonly format: ForeignStore["format"];
  readonly hasUsage: boolean;
  readonly memories: ReadonlyMap<string, Memory>;
}

/**
 * Pages, histories, sources and audits of memories, for tools that show them, from `tl.memory.browser()`. Reading here
 * does not count as use.
 */
export class MemoryBrowser {
  readonly #context: MemoryContext;
  readonly #search: () => Promise<SearchSpaces>;
  readonly #table: MemoryTable;
  readonly #audit: StoredAudit;
  #facets: { readonly rows: readonly MemoryRow[]; readonly facets: Promise<MemoryFacets> } | undefined;

  constructor(context: MemoryContext, search: () => Promise<SearchSpaces>) {
    this.#context = context;
    this.#search = search;
    this.#table = new MemoryTable(context);
    this.#audit = new StoredAudit(context, this.#table);
  }

  /**
   * Returns a page of memories.
   * @param options Query, conditions, order and place of the page.
   * @throws InvalidOptionError if an option is invalid or unknown.
   * @example const { total, items } = await (await tl.memory.browser()).page({ kinds: ["fact"], limit: 20 });
   */
  async page(options: BrowseOptions = {}): Promise<MemoryPage> {
    checkOptions("browser.page", options, PAGE_RULES);
    const { query = "", offset = 0, limit = DEFAULT_LIMIT, order = "newest", ...conditions } = options;
    const isPlain = query.trim() === "" && order === "newest" && isOfCurrent(conditions);
    if (isPlain && !this.#table.isLoaded && offset + limit <= MAX_UNSORTED) {
      const page = await readFirst(this.#context, offset, limit);
      // Reading the rows of all memories is slow, so it starts before the first request.
      this.#table.open().catch(() => undefined);
      return page;
    }
    const { rows, get } = await this.#table.open();
    const found = query.trim() === "" ? undefined : await this.#find(query, get);
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
    if (this.#facets?.rows !== rows) this.#facets = { rows, facets: countFacets(rows) };
    return this.#facets.facets;
  }

  /**
   * Returns the texts of a memory over time, with those of the memories that it replaced or was replaced by.
   * @param id Id of the memory.
   * @param options `asOf` is the time at which versions count as valid. Default: now.
   * @throws NotFoundError if there is no memory with this id.
   * @throws InvalidOptionError if an option is invalid or unknown.
   * @example const history = await (await tl.memory.browser()).history(id, { asOf: "2026-01-31" });
   */
  async history(id: string, options: { readonly asOf?: number | string | Date } = {}): Promise<MemoryHistory> {
    checkOptions("browser.history", options, { asOf: CHECKED_LATER });
    const { asOf } = options;
    const { rows } = await this.#table.open();
    const time = asOf === undefined ? this.#context.clock.now() : parseOptionTime("asOf", asOf);
    return readHistory(this.#context, rows, id, time);
  }

  /**
   * Returns the stored messages that a memory comes from, each with the range of the quoted words.
   * @param id Id of the memory.
   * @throws NotFoundError if there is no memory with this id.
   * @example const [source] = await (await tl.memory.browser()).evidence(id);
   */
  async evidence(id: string): Promise<readonly MemoryEvidence[]> {
    return readEvidence(this.#context, (await requireMemory(this.#context, id)).memory);
  }

  /**
   * Returns memories and stored messages by id, for lists that have both.
   * @param ids Ids of memories and messages. Unknown ids are left out.
   * @example const items = await (await tl.memory.browser()).items([id]);
   */
  async items(ids: readonly string[]): Promise<ReadonlyMap<string, Memory | Utterance>> {
    const found = new Map<string, Memory | Utterance>();
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

  /**
   * Audits the stored memories. The result is kept until a memory changes.
   * @example const { findings } = await (await tl.memory.browser()).audit();
   */
  audit(): Promise<Audit> {
    return this.#audit.complete();
  }

  /**
   * Returns the findings of the audit so far, and starts it if needed. Kinds that are not checked yet have the findings
   * of the last audit.
   * @example const { progress } = await (await tl.memory.browser()).auditState();
   */
  auditState(): Promise<AuditState> {
    return this.#audit.state();
  }

  /**
   * Audits memories that another program stores. Nothing is imported.
   * @param text Content of an export of mem0, of the `memory.json` of the MCP server, or of a Markdown file.
   * @throws InvalidOptionError if the text is empty or JSON of an unknown format.
   * @example const { findings } = await (await tl.memory.browser()).auditForeign("- We deploy on Fridays.");
   */
  async auditForeign(text: string): Promise<ForeignAudit> {
    const now = this.#context.clock.now();
    const { format, memories, hasUsage } = readForeignStore(text, now);
    const vectors = await this.#embed(memories);
    const audit = await auditMemories(memories, { now, hasUsage, vectors });
    return { ...audit, format, hasUsage, memories: new Map(memories.map((memory) => [memory.id, memory])) };
  }

  async #find(query: string, get: MemoryRows["get"]) {
    const options = { limit: MAX_HITS, from: "memories" } as const;
    const { hits } = await findRelevant(this.#context, await this.#search(), query, options);
    return {
      rows: hits.flatMap(({ id }) => get(id) ?? []),
      reasons: new Map(hits.map(({ id, reasons }) => [id, reasons])),
    };
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

/** True for the conditions of current memories alone. */
function isOfCurrent({ status, ...others }: MemoryConditions): boolean {
  return status === "current" && Object.values(others).every((condition) => condition === undefined);
}

/** A page of current memories near the beginning, read from the store in its order. */
async function readFirst(context: MemoryContext, offset: number, limit: number): Promise<MemoryPage> {
  const { memoryStore } = context;
  const found: Memory[] = [];
  let total = 0;
  for (const space of visibleSpaces(context)) {
    const isSeen = (one: { readonly projectId?: string }) => isVisible(one, context);
    for (const one of (await memoryStore.list(space, "projects")).filter(isSeen)) total += one.current;
    found.push(...(await firstVisible(context, space, offset + limit)));
  }
  const shown = found.sort(lastMentionedFirst).slice(offset, offset + limit);
  return { total, items: shown.map((memory) => ({ memory, reasons: [] })) };
}

async function firstVisible(context: MemoryContext, space: string, count: number): Promise<readonly Memory[]> {
  for (let limit = count; ; limit *= 4) {
    const read = await context.memoryStore.list(space, "memories", { current: true, lastSeenFirst: true, limit });
    const visible = read.filter((memory) => isVisible(memory, context));
    if (visible.length >= count || read.length < limit) return visible.slice(0, count);
  }
}

async function countFacets(rows: readonly MemoryRow[]): Promise<MemoryFacets> {
  const [kinds, categories, statuses] = [
    new Counter<MemoryKind>(),
    new Counter<FactCategory>(),
    new Counter<MemoryStatus>(),
  ];
  const [projects, people] = [new Counter<string | undefined>(), new Counter<string>()];
  let toReview = 0;
  await mapYielding(rows, ({ kind, category, status, projectId, person, isNew }) => {
    kinds.add(kind);
    if (category !== undefined) categories.add(category);
    statuses.add(status);
    projects.add(projectId);
    people.add(person);
    if (isNew && status === "current") toReview += 1;
  });
  return {
    kinds: {
      fact: kinds.of("fact"),
      episode: kinds.of("episode"),
      pattern: kinds.of("pattern"),
      workflow: kinds.of("workflow"),
    },
    categories: {
      identity: categories.of("identity"),
      preference: categories.of("preference"),
      project: categories.of("project"),
    },
    statuses: { current: statuses.of("current"), ended: statuses.of("ended"), archived: statuses.of("archived") },
    projects: projects.mostFirst().map(([id, count]) => omitUndefined({ id, count })),
    people: people.mostFirst().map(([name, count]) => ({ name, count })),
    toReview,
  };
}

class Counter<T> {
  readonly #counts = new Map<T, number>();

  add(item: T): void {
    this.#counts.set(item, this.of(item) + 1);
  }

  of(item: T): number {
    return this.#counts.get(item) ?? 0;
  }

  mostFirst(): readonly (readonly [T, number])[] {
    return [...this.#counts].sort(([, a], [, b]) => b - a);
  }
}
