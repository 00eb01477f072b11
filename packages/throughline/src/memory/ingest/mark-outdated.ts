import { omitUndefined } from "../../internal/json.ts";
import { yieldToEventLoop } from "../../internal/yield-to-event-loop.ts";
import { isCurrent, type Memory, type Utterance } from "../../ports/memory.ts";
import type { MemoryStore } from "../../ports/memory-store.ts";
import type { SearchSpaces } from "../search/search-spaces.ts";
import { isVisible } from "../space/spaces.ts";
import type { PlanContext } from "../space/staged-space.ts";
import { findOutdated, findStatement, type Outdated } from "../staleness/find-outdated.ts";
import { markOwnSpans, markStale } from "../staleness/mark-stale.ts";

/** Maximum number of turns of the same session to compare a new turn with. */
const MAX_BACK = 24;
/** Maximum number of similar facts, and of similar turns of other sessions, to compare a new turn with. */
const MAX_SIMILAR = 20;
/** Maximum number of journal entries, and of facts in them, to compare a new turn with. */
const MAX_RECENT = 24;
/** Words that refer to an earlier state. Without one of them, other sessions and older facts are not searched. */
const CUE =
  /\b(?:actually|anymore|cancel\w*|chang(?:e|ed|es|ing)|correct(?:ed|ion)|drop(?:ped)?|earlier|forget|incorrect|instead|invalid\w*|just|longer|mov(?:e|ed|es|ing)|new|no|not|now|outdated|override\w*|postponed|previous\w*|recalculat\w*|replac\w+|rescheduled|revised|scratch|superse\w+|switch\w*|updat\w+|wait|wrong)\b/i;

/** Turns and facts that new turns outdate. */
export interface OutdatedByTurns {
  /** The new turns. Text about the past and text that a later new turn outdates are marked. */
  readonly turns: readonly Utterance[];
  /** Stored turns that are outdated, completely or in parts. */
  readonly older: readonly Utterance[];
  /** Facts that ended. */
  readonly memories: readonly Memory[];
}

/** A turn, and the speaker's own words in it. Injected, recalled and quoted text outdates nothing. */
export interface SpokenTurn {
  readonly turn: Utterance;
  readonly own: string;
}

const NOTHING: Similar = { turns: [], memories: [] };

/** Finds earlier turns, of this session and others, and facts that new turns outdate. */
export async function markOutdated(
  context: PlanContext,
  search: SearchSpaces,
  stored: Pick<MemoryStore, "list">,
  space: string,
  fresh: readonly SpokenTurn[],
): Promise<OutdatedByTurns> {
  const first = fresh[0]?.turn;
  if (first === undefined) return { turns: [], older: [], memories: [] };
  const start = Math.max(0, first.position - MAX_BACK);
  const session = await stored.list(space, "turns", { sessionId: first.sessionId, from: start, limit: MAX_BACK });
  const reading = new Reading(session.filter((turn) => turn.position < first.position && isVisible(turn, context)));
  const recent = await recentFacts(context, stored, space);
  for (const { turn, own } of fresh) {
    const said = { ...turn, text: own };
    const { turns, memories } = CUE.test(own) ? await findSimilar(context, search, said) : NOTHING;
    const facts = new Map([...memories, ...recent].map((memory) => [memory.id, memory]));
    reading.take(turn, said, { turns, memories: [...facts.values()] });
    await yieldToEventLoop();
  }
  return reading.result();
}

/** Known turns and ended facts while new turns are processed in order. */
class Reading {
  readonly #known: Map<string, Utterance>;
  readonly #fresh = new Set<string>();
  readonly #older = new Set<string>();
  readonly #closed = new Map<string, Memory>();

  constructor(session: readonly Utterance[]) {
    this.#known = new Map(session.map((turn) => [turn.id, turn]));
  }

  take(turn: Utterance, said: Utterance, { turns, memories }: Similar): void {
    for (const other of turns) if (!this.#known.has(other.id)) this.#known.set(other.id, other);
    const messages = new Set([...this.#known.values()].map(messageOf));
    // A fact that quotes a known turn ends with the quoted words. Other facts are compared as turns of their own.
    const quoting = memories.filter(({ source }) => source.quote !== undefined && messages.has(source.messageId ?? ""));
    const others = memories.filter((memory) => !quoting.includes(memory));
    const since = turn.at ?? turn.createdAt;
    for (const outdated of findOutdated(said, [
      ...this.#known.values(),
      ...others.map((memory) => asTurn(memory, turn)),
    ])) {
      const known = this.#known.get(outdated.turnId);
      if (known !== undefined) this.#mark(markStale(known, outdated, { since, by: turn.id }));
      // A fact is one statement: if a part of it is outdated, all of it is.
      const ended =
        known === undefined
          ? others.filter(({ id }) => id === outdated.turnId)
          : quoting.filter((fact) => quotesOutdated(fact, known, outdated));
      for (const fact of ended) this.#closed.set(fact.id, closedAt(fact, since));
    }
    this.#known.set(turn.id, markOwnSpans(turn));
    this.#fresh.add(turn.id);
  }

  #mark(turn: Utterance): void {
    this.#known.set(turn.id, turn);
    if (!this.#fresh.has(turn.id)) this.#older.add(turn.id);
  }

  result(): OutdatedByTurns {
    const those = (ids: ReadonlySet<string>) => [...ids].flatMap((id) => this.#known.get(id) ?? []);
    return { turns: those(this.#fresh), older: those(this.#older), memories: [...this.#closed.values()] };
  }
}

function messageOf({ id, messageId = id }: Utterance): string {
  return messageId;
}

/** True if a fact quotes an outdated part of a turn. */
function quotesOutdated({ source: { messageId, quote = "" } }: Memory, turn: Utterance, { spans }: Outdated): boolean {
  if (messageId !== messageOf(turn)) return false;
  const start = turn.text.indexOf(quote);
  return spans === undefined || spans.some((span) => span.start < start + quote.length && span.end > start);
}

/** Marks the turns that state a replaced fact, outdated by its replacement. */
export async function markStatement(
  context: PlanContext,
  search: SearchSpaces,
  { levels, id }: Memory,
  { id: by, validFrom: since }: Memory,
): Promise<readonly Utterance[]> {
  const text = levels.full;
  const { turns } = await findSimilar(context, search, { id, text });
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  return findStatement(text, turns).flatMap((outdated) => {
    const turn = byId.get(outdated.turnId);
    return turn === undefined || (turn.at ?? turn.createdAt) > since ? [] : [markStale(turn, outdated, { since, by })];
  });
}

interface Similar {
  readonly turns: readonly Utterance[];
  readonly memories: readonly Memory[];
}

async function findSimilar(
  context: PlanContext,
  search: SearchSpaces,
  { id, text }: { readonly id: string; readonly text: string },
): Promise<Similar> {
  const { memoryStore, clock, projectId } = context;
  const question = omitUndefined({ text, now: clock.now(), projectId });
  const ofTurns = await memoryStore.similar(search, { ...question, from: "turns" }, MAX_SIMILAR);
  const ofFacts = await memoryStore.similar(search, { ...question, from: "memories", kinds: ["fact"] }, MAX_SIMILAR);
  const isOther = (other: string): boolean => other !== id;
  const [turns, memories] = await Promise.all([
    memoryStore.get("turns", ofTurns.filter(isOther)),
    memoryStore.get("memories", ofFacts.filter(isOther)),
  ]);
  return { turns: turns.filter((turn) => isVisible(turn, context)), memories: memories.filter(isCurrent) };
}

/** Facts of the latest journal entries. A new turn may refer to them without sharing a word with them. */
async function recentFacts(
  context: PlanContext,
  stored: Pick<MemoryStore, "list">,
  space: string,
): Promise<readonly Memory[]> {
  const journal = await stored.list(space, "journal", { limit: MAX_RECENT });
  const ids = journal.flatMap(({ changes }) => changes.filter(({ kind }) => kind === "memory").map(({ id }) => id));
  const memories = await context.memoryStore.get("memories", [...new Set(ids)].slice(0, MAX_RECENT));
  return memories.filter((memory) => memory.kind === "fact" && isCurrent(memory) && isVisible(memory, context));
}

/** A fact as a turn directly before the new one, to be compared like a turn. */
function asTurn({ id, levels, owner, createdAt }: Memory, { sessionId, position }: Utterance): Utterance {
  return { id, sessionId, position: position - 1, role: "memory", text: levels.full, createdAt, owner };
}

function closedAt(memory: Memory, since: number): Memory {
  return { ...memory, validTo: Math.max(memory.validFrom, since), pinned: false };
}
