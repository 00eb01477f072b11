import { digest, omitUndefined } from "../../internal/json.ts";
import { isCurrent, type Memory } from "../../ports/memory.ts";
import type { NewJudgement } from "../../ports/memory-store.ts";
import { factHandles, hasGivenKey, relateFacts, toComparable } from "../facts/compare-facts.ts";
import type { Remembered } from "../memory-api.ts";
import type { MemoryContext } from "../memory-context.ts";
import { rankByAttributeKind } from "../reconcile/attribute-kinds.ts";
import { compareStatements } from "../reconcile/compare-statements.ts";
import { claimOf, compareClaims } from "../reconcile/contradictions.ts";
import { type JudgedRelation, judgeRelations, MAX_JUDGED } from "../reconcile/judge.ts";
import { statementTerms } from "../reconcile/statement.ts";
import type { SearchSpaces } from "../search/search-spaces.ts";
import { embed } from "../space/embed-texts.ts";
import { searchableMemory } from "../space/index-memory.ts";
import { isVisible } from "../space/spaces.ts";
import type { PlanContext } from "../space/staged-space.ts";

/** Facts to search for: more than candidates, because ended and invisible ones are left out. */
const MAX_SEARCHED = 16;
/** Facts that are compared by kind of attribute: those with the closest vectors. */
const MAX_COMPARED = 100;
/**
 * Candidates that a search found, before those of the same kind: a fact with common words is nearly always among them.
 */
const MIN_FOUND = 4;

/** A known fact, and the relation of a new fact to it. */
export interface RelatedFact {
  readonly memory: Memory;
  readonly relation: JudgedRelation;
  readonly reason: string;
}

export interface CandidateOptions {
  /** Also search by meaning, which takes a call of the embedder. Default: true. */
  readonly byMeaning?: boolean;
  /**
   * Give half of the places to facts about the same kind of attribute, which only a judge can compare. Default: false.
   */
  readonly byKind?: boolean;
}

/**
 * The current facts that a new one may repeat, replace or contradict, at most eight: those with the same words first,
 * then those with the same key, then those that a search finds by words, names and meaning, and those about the same
 * kind of attribute.
 */
export async function findCandidates(
  context: PlanContext,
  search: SearchSpaces,
  memory: Memory,
  { byMeaning = true, byKind = false }: CandidateOptions = {},
): Promise<readonly Memory[]> {
  if (memory.kind !== "fact") return [];
  const { related, fingerprint } = factHandles(toComparable(memory));
  const keyed = await context.memoryStore.list("memories", {
    current: true,
    matchAny: { slots: related, fingerprints: [fingerprint] },
  });
  const { text } = searchableMemory(memory);
  const [vector] = byMeaning ? ((await embed(context, [text])) ?? []) : [];
  const find = async (words: string, limit: number): Promise<readonly Memory[]> => {
    const { projectId } = memory;
    const filters = { now: context.clock.now(), from: "memories" as const, kinds: ["fact" as const], projectId };
    const question = omitUndefined({ ...filters, text: words, vector });
    const ids = await context.memoryStore.similar(search, question, limit);
    return context.memoryStore.get("memories", ids);
  };
  const isSame = (one: Memory) => factHandles(toComparable(one)).fingerprint === fingerprint;
  const newest = keyed.toReversed();
  const found = comparable([...newest.filter(isSame), ...newest, ...(await find(text, MAX_SEARCHED))], memory);
  if (!byKind || vector === undefined || found.length <= MIN_FOUND) return found.slice(0, MAX_JUDGED);
  const near = await sortByKind(context, memory, comparable(await find("", MAX_COMPARED), memory));
  return comparable([...found.slice(0, MIN_FOUND), ...near, ...found], memory).slice(0, MAX_JUDGED);
}

/** Facts with close vectors, by kind of attribute; unchanged if the embedder compares texts rather than words. */
async function sortByKind(
  { embedder, logger }: PlanContext,
  memory: Memory,
  facts: readonly Memory[],
): Promise<readonly Memory[]> {
  if (embedder.rarity === undefined) return facts;
  const ranked = await rankByAttributeKind(
    memory.levels.full,
    facts.map(({ levels }) => levels.full),
    {
      embed: (words) => embed({ embedder, logger }, words),
      rarity: (word) => embedder.rarity?.(word),
    },
  );
  return ranked.flatMap((at) => facts[at] ?? []);
}

/** Each fact once, without ended and invisible ones. */
function comparable(facts: readonly Memory[], memory: Memory): readonly Memory[] {
  const all = new Map(facts.map((one) => [one.id, one]));
  return [...all.values()].filter(
    (known) => known.id !== memory.id && known.kind === "fact" && isCurrent(known) && isVisible(known, memory),
  );
}

/**
 * A fact without its key, if a model proposed the key and the fact would end a candidate by it although its statement
 * states no change. A second tool for the same purpose does not replace the first one.
 */
export function dropClashingKey(memory: Memory, candidates: readonly Memory[]): Memory {
  const stated = toComparable(memory);
  if (!hasGivenKey(stated)) return memory;
  const clashes = candidates.some(
    (known) =>
      relateFacts(stated, toComparable(known))?.relation === "supersedes" &&
      compareStatements(known.levels.full, stated.text).relation !== "supersedes",
  );
  if (!clashes) return memory;
  const { key: _, value: __, ...rest } = memory;
  return rest;
}

/** Returns a test of known facts: same key as the draft, or a word of their statements in common with it. */
export function sharesWordsWith(draft: Memory): (known: Memory) => boolean {
  // Read once, and only if it is compared: the draft may be long, and has many candidates.
  let words: ReadonlySet<string> | undefined;
  return (known) => {
    if (known.key !== undefined && known.key === draft.key) return true;
    words ??= new Set(statementTerms(draft.levels.full));
    return statementTerms(known.levels.full).some((word) => words?.has(word));
  };
}

/** Asks a model for the relations of a new fact to its candidates. */
export interface Judge {
  /** One call for all candidates; `undefined` for those without a verdict. */
  ask(candidates: readonly Memory[]): Promise<readonly (JudgedRelation | undefined)[]>;
  /** The verdicts so far, to be stored with the fact. */
  judgements(id: string): readonly NewJudgement[];
}

/** Milliseconds for the calls about all facts of a batch, and the minimum that a call needs. */
const BATCH_TIME = 30_000;
const MIN_TIME = 3_000;

/** The limits that the judges of a batch of facts share. Facts without a verdict wait for the next consolidation. */
export class JudgedBatch {
  readonly signal: AbortSignal | undefined;
  /** A call failed: the others would make the batch wait for the same failure. */
  hasFailed = false;
  #until: number | undefined;

  constructor(signal: AbortSignal | undefined) {
    this.signal = signal;
  }

  /** Milliseconds that the next call may take; 0 if the batch is not to wait any longer. */
  get timeLimit(): number {
    this.#until ??= Date.now() + BATCH_TIME;
    const left = this.#until - Date.now();
    return this.hasFailed || left < MIN_TIME ? 0 : left;
  }
}

/** A judge that asks once, however often a change is planned; `undefined` without a model. */
export function judgeFor(
  { model, logger }: Pick<MemoryContext, "model" | "logger">,
  memory: Memory,
  batch?: JudgedBatch,
): Judge | undefined {
  if (model === undefined) return undefined;
  let isAsked = false;
  const known = new Map<string, { readonly other: Memory; readonly relation: JudgedRelation | undefined }>();
  return {
    async ask(candidates) {
      // Facts that others saved meanwhile wait for the next consolidation.
      if (!isAsked && candidates.length > 0 && batch?.timeLimit !== 0) {
        isAsked = true;
        const limits = omitUndefined({ logger, signal: batch?.signal, timeLimit: batch?.timeLimit });
        const { relations, failure } = await judgeRelations(claimOf(memory), candidates.map(claimOf), model, limits);
        if (batch !== undefined && failure !== undefined) batch.hasFailed = true;
        candidates.forEach((other, at) => void known.set(other.id, { other, relation: relations[at] }));
      }
      return candidates.map(({ id }) => known.get(id)?.relation);
    },
    judgements: (id) =>
      [...known.values()].flatMap(({ other, relation }) =>
        relation === undefined
          ? []
          : { key: pairDigest(memory, other), memoryIds: [id, other.id], contradicts: relation === "contradicts" },
      ),
  };
}

/** Stores the verdicts about facts that were saved, so that a consolidation does not ask for them again. */
export async function recordJudgements(
  { memoryStore }: Pick<MemoryContext, "memoryStore">,
  space: string,
  requests: readonly { readonly judge?: Judge | undefined }[],
  remembered: readonly Remembered[],
): Promise<void> {
  const judgements = remembered.flatMap(({ outcome, memory }, at) =>
    outcome === "merged" ? [] : (requests[at]?.judge?.judgements(memory.id) ?? []),
  );
  if (judgements.length > 0) await memoryStore.record(space, { judgements });
}

/** Key for the verdict on two facts: a hash of their texts in sorted order, so the texts are not stored again. */
export function pairDigest(a: Memory, b: Memory): string {
  return digest(JSON.stringify([a.levels.full, b.levels.full].sort()));
}

/** Reason of a contradiction that only the model found. */
export const JUDGED = "The model judged that both cannot be true.";

/**
 * Relations of a new fact to its candidates. Keys and equal words decide first, then the judge, if there is one, then
 * the rules. Without a judge, pairs that the rules are not sure of are compatible.
 */
export async function relateToCandidates(
  memory: Memory,
  candidates: readonly Memory[],
  { judge, updatesPrevious = false }: { readonly judge?: Judge | undefined; readonly updatesPrevious?: boolean },
): Promise<readonly RelatedFact[]> {
  const fresh = { ...claimOf(memory), ...(updatesPrevious && { updatesPrevious }) };
  const compared = candidates.map((candidate) => {
    const known = claimOf(candidate);
    // A fact about an earlier time does not change a fact about a later time.
    const isEarlier = memory.validFrom < candidate.validFrom;
    return { candidate, ...(isEarlier ? compareClaims(fresh, known) : compareClaims(known, fresh)) };
  });
  // A repetition is merged with a fact that was compared with the others before.
  const isRepeated = compared.some(({ relation }) => relation === "duplicate");
  const open = isRepeated ? [] : compared.filter(({ isKeyed }) => !isKeyed).map(({ candidate }) => candidate);
  const verdicts = judge === undefined || open.length === 0 ? [] : await judge.ask(open);
  return compared.map(({ candidate, relation, reason, isKeyed }) => {
    const verdict = isKeyed ? undefined : verdicts[open.indexOf(candidate)];
    const byRules = relation === "unrelated" ? "compatible" : relation;
    return { memory: candidate, relation: verdict ?? byRules, reason: reason === "" ? JUDGED : reason };
  });
}
