import { getModelLimits, type Logger } from "throughline";
import { readSpeech } from "throughline/internal/engine";
import {
  namesGone,
  type RecordedSession,
  reportSession,
  type SessionReport,
  worstCompaction,
} from "throughline/internal/inspect";
import { createTokenCounter, Lru } from "throughline/internal/util";
import { OWN_AGENT, type SessionUnit, sessionIdOf } from "./session-units.ts";

/** Model whose tokenizer counts. Reported usage corrects the counts. */
export const COUNTED_AS = "gpt-4o";
const MAX_UNITS = 20_000;

/** The compaction of a session that lost most. */
interface WorstCompaction {
  /** Index in the session. */
  readonly compaction: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly needed: number;
  readonly gone: number;
  readonly lookups: number;
  readonly lookupTokens: number;
}

/** A session in the list. */
export interface CatalogEntry {
  readonly id: string;
  /** Id that the agent uses. */
  readonly sessionId: string;
  readonly agent: string;
  readonly title: string;
  readonly project?: string;
  readonly startedAt?: number;
  readonly changedAt: number;
  readonly calls: number;
  /** Tokens of the last window, and the limit of its model. */
  readonly tokens: number;
  readonly limit: number;
  readonly compactions: number;
  readonly worst?: WorstCompaction;
}

export interface Catalog {
  /** Most recently changed first. */
  readonly entries: readonly CatalogEntry[];
  /** Files and sessions in all, and those that are still to be read. */
  readonly total: number;
  readonly waiting: number;
  /** Files that could not be read. */
  readonly failed: number;
}

interface ReadUnit {
  readonly version: string;
  /** `undefined` if it could not be read. */
  readonly entries: readonly CatalogEntry[] | undefined;
}

export interface CatalogOptions {
  readonly logger: Logger;
  readonly stopping: AbortSignal;
}

/** Key figures of all sessions. Reads new and changed ones in the background, the newest first. */
export class SessionCatalog {
  readonly #options: CatalogOptions;
  readonly #read = new Lru<string, ReadUnit>({ maxSize: MAX_UNITS });
  /** Sorted, the newest first. */
  #queue = new Map<string, SessionUnit>();
  #reading: Promise<void> | undefined;
  /** Work that a request waits for. */
  readonly #urgent = new Set<Promise<unknown>>();

  constructor(options: CatalogOptions) {
    this.#options = options;
  }

  /** The entries that are known now. */
  list(units: readonly SessionUnit[]): Catalog {
    const known = units.map((unit) => ({ unit, read: this.#read.get(unit.cacheKey) }));
    const stale = known.filter(({ unit, read }) => read?.version !== unit.version).map(({ unit }) => unit);
    this.#add(stale);
    const entries = withoutCopies(known.flatMap(({ read }) => read?.entries ?? []));
    return {
      entries: entries.toSorted((a, b) => b.changedAt - a.changedAt),
      total: units.length,
      waiting: stale.length,
      failed: known.filter(({ read }) => read !== undefined && read.entries === undefined).length,
    };
  }

  /** Resolves when everything that was listed has been read. */
  async settled(): Promise<void> {
    while (this.#reading !== undefined) await this.#reading;
  }

  /** Pauses the reading in the background until the work is done. */
  waitFor(work: Promise<unknown>): void {
    const ended = work.catch(() => undefined).finally(() => this.#urgent.delete(ended));
    this.#urgent.add(ended);
  }

  #add(units: readonly SessionUnit[]): void {
    const all = new Map([...this.#queue, ...units.map((unit) => [unit.cacheKey, unit] as const)]);
    this.#queue = new Map([...all].sort(([, a], [, b]) => b.changedAt - a.changedAt));
    if (this.#queue.size === 0) return;
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined;
    });
  }

  async #readAll(): Promise<void> {
    const { stopping, logger } = this.#options;
    for (;;) {
      while (this.#urgent.size > 0) await Promise.all(this.#urgent);
      const [unit] = this.#queue.values();
      if (unit === undefined || stopping.aborted) return;
      const { cacheKey, version, agent } = unit;
      const entries = await describeUnit(unit).catch((error: unknown) => {
        logger.warn(`Could not read a session of ${agent}: ${String(error)}`);
        return undefined;
      });
      this.#read.set(cacheKey, { version, entries });
      // A newer version may have been added in the meantime.
      if (this.#queue.get(cacheKey)?.version === version) this.#queue.delete(cacheKey);
    }
  }
}

async function describeUnit(unit: SessionUnit): Promise<readonly CatalogEntry[]> {
  const counter = createTokenCounter(COUNTED_AS, {});
  const entries: CatalogEntry[] = [];
  for (const session of await unit.load()) {
    // Sub-agents work for another session.
    if (session.meta.parentId !== undefined || session.messages.length === 0) continue;
    entries.push(describe(unit, session, await reportSession(session, { counter, readSpeech })));
  }
  return entries;
}

function describe(unit: SessionUnit, session: RecordedSession, report: SessionReport): CatalogEntry {
  const { agent, changedAt } = unit;
  const { calls, compactions, meta, title } = report;
  const last = calls.at(-1);
  const startedAt = meta.startedAt ?? session.messages.find(({ createdAt }) => createdAt > 0)?.createdAt;
  const worst = worstOf(report);
  return {
    id: sessionIdOf(unit, session),
    sessionId: session.id,
    agent,
    title,
    ...(meta.cwd !== undefined && { project: meta.cwd }),
    ...(startedAt !== undefined && { startedAt }),
    changedAt,
    calls: calls.length,
    tokens: last?.reported ?? last?.tokens ?? 0,
    limit: session.contextLimit ?? limitOf(report),
    compactions: compactions.length,
    ...(worst !== undefined && { worst }),
  };
}

/** Usual limits above the default. */
const LARGER_LIMITS = [200_000, 272_000, 400_000, 1_000_000];

/** A window that was larger than the known limit shows that the limit is higher. */
function limitOf({ calls }: SessionReport): number {
  const { contextLimit } = getModelLimits(calls.at(-1)?.modelId ?? "");
  const largest = calls.reduce((max, { tokens, reported = 0 }) => Math.max(max, tokens, reported), 0);
  return [contextLimit, ...LARGER_LIMITS].find((limit) => limit >= largest) ?? largest;
}

function worstOf({ compactions }: SessionReport): WorstCompaction | undefined {
  const index = worstCompaction(compactions);
  const found = compactions[index];
  if (found === undefined) return undefined;
  const { tokensBefore, tokensAfter, review, lookups } = found;
  return {
    compaction: index,
    tokensBefore,
    tokensAfter,
    needed: review?.needed ?? 0,
    gone: namesGone(found),
    lookups: lookups.length,
    lookupTokens: lookups.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

/** The entry whose worst compaction lost most; `undefined` if no session has one. */
export function worstEntry(entries: readonly CatalogEntry[]): CatalogEntry | undefined {
  const [worst] = entries.filter((entry) => entry.worst !== undefined).toSorted((a, b) => lossOf(b) - lossOf(a));
  return worst;
}

function lossOf({ worst }: CatalogEntry): number {
  return 1_000_000 * (worst?.gone ?? 0) + (worst?.lookupTokens ?? 0);
}

/** An imported session is in the store and in its history; the history has the windows of the agent. */
function withoutCopies(entries: readonly CatalogEntry[]): readonly CatalogEntry[] {
  const recorded = new Set(entries.flatMap(({ agent, sessionId }) => (agent === OWN_AGENT ? [] : [sessionId])));
  return entries.filter(({ agent, sessionId }) => agent !== OWN_AGENT || !recorded.has(sessionId));
}
