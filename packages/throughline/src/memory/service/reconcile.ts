import { digest } from "../../internal/digest.ts";
import { omitUndefined } from "../../internal/json.ts";
import type { Memory } from "../../ports/memory.ts";
import type { NewJudgement } from "../../ports/memory-store.ts";
import { claimOf } from "../contradictions/contradictions.ts";
import { factHandles, hasGivenKey, relateFacts, toComparable } from "../facts/compare-facts.ts";
import { hasNoEnd } from "../facts/fact-rules.ts";
import { compareClaims } from "../reconcile/compare-claims.ts";
import { compareStatements } from "../reconcile/compare-statements.ts";
import { type JudgedRelation, judgeRelations, MAX_JUDGED } from "../reconcile/judge.ts";
import { statementTerms } from "../reconcile/statement.ts";
import { embed, searchableMemory } from "./index-memory.ts";
import type { MemoryContext } from "./memory-context.ts";
import type { SearchSpaces } from "./search-spaces.ts";
import { isVisible } from "./spaces.ts";
import type { PlanContext } from "./staged-space.ts";

/** Facts to search for: more than candidates, because ended and invisible ones are left out. */
const FOUND = 16;

/** A known fact, and the relation of a new fact to it. */
export interface RelatedFact {
  readonly memory: Memory;
  readonly relation: JudgedRelation;
  readonly reason: string;
}

export interface CandidateOptions {
  /** Also search by meaning, which takes a call of the embedder. Default: true. */
  readonly byMeaning?: boolean;
}

/**
 * The current facts that a new one may repeat, replace or contradict, at most eight: those with the same words first, then
 * those with the same key, then those that a search finds by words, names and meaning.
 */
export async function findCandidates(
  context: PlanContext,
  search: SearchSpaces,
  space: string,
  memory: Memory,
  { byMeaning = true }: CandidateOptions = {},
): Promise<readonly Memory[]> {
  if (memory.kind !== "fact") return [];
  const { related, fingerprint } = factHandles(toComparable(memory));
  const keyed = await context.memoryStore.list(space, "memories", {
    current: true,
    matchAny: { slots: related, fingerprints: [fingerprint] },
  });
  const { text } = searchableMemory(memory);
  const [vector] = byMeaning ? ((await embed(context, [text])) ?? []) : [];
  const question = omitUndefined({
    text,
    vector,
    now: context.clock.now(),
    from: "memories" as const,
    kinds: ["fact" as const],
    projectId: memory.projectId,
  });
  const ids = await context.memoryStore.similar(search, space, question, FOUND);
  const found = await context.memoryStore.get(space, "memories", ids);
  const isSame = (one: Memory) => factHandles(toComparable(one)).fingerprint === fingerprint;
  const newest = keyed.toReversed();
  const all = new Map([...newest.filter(isSame), ...newest, ...found].map((one) => [one.id, one]));
  return [...all.values()].filter((one) => one.id !== memory.id && isComparable(one, memory)).slice(0, MAX_JUDGED);
}

/**
 * A fact without its key, if a model proposed the key and the fact would end a candidate by it although its statement
 * states no change. A second tool for the same purpose does not replace the first one.
 */
export function dropClashingKey(memory: Memory, candidates: readonly Memory[]): Memory {
  const said = toComparable(memory);
  if (!hasGivenKey(said)) return memory;
  const clashes = candidates.some(
    (known) =>
      relateFacts(said, toComparable(known))?.relation === "supersedes" &&
      compareStatements(known.levels.full, said.text).relation !== "supersedes",
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

function isComparable(known: Memory, memory: Memory): boolean {
  return known.kind === "fact" && hasNoEnd(known) && isVisible(known, memory);
}

/** Asks a model for the relations of a new fact to its candidates. */
export interface Judge {
  /** One call for all candidates; `undefined` for those without a verdict. */
  ask(candidates: readonly Memory[]): Promise<readonly (JudgedRelation | undefined)[]>;
  /** The verdicts so far, to be stored with the fact. */
  judgements(id: string): readonly NewJudgement[];
}

/** A judge that asks about each pair once, however often a change is planned; `undefined` without a model. */
export function judgeFor(
  { model, logger }: Pick<MemoryContext, "model" | "logger">,
  memory: Memory,
): Judge | undefined {
  if (model === undefined) return undefined;
  const known = new Map<string, { readonly other: Memory; readonly relation: JudgedRelation | undefined }>();
  return {
    async ask(candidates) {
      const open = candidates.filter(({ id }) => !known.has(id));
      const { relations } = await judgeRelations(claimOf(memory), open.map(claimOf), model, { logger });
      open.forEach((other, at) => void known.set(other.id, { other, relation: relations[at] }));
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

/** Key for the verdict on two facts: a hash of their texts in sorted order, so the texts are not stored again. */
export function pairDigest(a: Memory, b: Memory): string {
  return digest(JSON.stringify([a.levels.full, b.levels.full].sort()));
}

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
  const open = compared.filter(({ isKeyed }) => !isKeyed).map(({ candidate }) => candidate);
  const verdicts = judge === undefined || open.length === 0 ? [] : await judge.ask(open);
  return compared.map(({ candidate, relation, reason, isKeyed }) => {
    const verdict = isKeyed ? undefined : verdicts[open.indexOf(candidate)];
    const byRules = relation === "unrelated" ? "compatible" : relation;
    return { memory: candidate, relation: verdict ?? byRules, reason: reason === "" ? JUDGED : reason };
  });
}

/** Reason of a contradiction that only the model found. */
export const JUDGED = "The model judged that both cannot be true.";
