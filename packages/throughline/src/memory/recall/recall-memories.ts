import {
  AT_LEAST_ZERO,
  CHECKED_LATER,
  checkOptions,
  type OptionRules,
  oneOf,
  parseOptionTime,
} from "../../errors/check-options.ts";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import { omitUndefined } from "../../internal/json.ts";
import { stripInvisible } from "../../internal/text.ts";
import type { Memory, Utterance } from "../../ports/memory.ts";
import { countTokens } from "../../tokens/count-tokens.ts";
import type { RecallHit, RecallOptions } from "../memory-api.ts";
import type { MemoryContext } from "../memory-context.ts";
import { KIND_LIST, SCOPE } from "../memory-kinds.ts";
import { type Candidate, type Candidates, type Question, searchIndexes } from "../search/search.ts";
import type { SearchSpaces } from "../search/search-spaces.ts";
import { embed, withoutUser } from "../space/embed-texts.ts";
import { visibleSpaces } from "../space/spaces.ts";
import { currentText, memoryText } from "../staleness/mark-stale.ts";
import { type Found, hitTest, type RankedHit, rankHits } from "./rank-hits.ts";
import { lookUp, retrievalCounts } from "./retrieval-counts.ts";

const DEFAULT_LIMIT = 10;
const MAX_HITS = 1_000;
/** Additional candidates to load beyond the limit, because priors reorder them and repeats are dropped. */
const SPARE_CANDIDATES = 60;
/** Additional candidates if priors do not apply and only repeats are dropped. */
const FEW_SPARE = 20;
/** Maximum characters of a query. Of a longer text only the beginning and the end are used. */
const MAX_QUESTION_LENGTH = 4_000;

const RECALL_RULES: OptionRules<RecallOptions> = {
  limit: [
    (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_HITS,
    `a whole number from 1 to ${MAX_HITS}`,
  ],
  cut: oneOf("calibrated", "none"),
  from: oneOf("both", "memories", "turns"),
  kinds: KIND_LIST,
  scope: SCOPE,
  asOf: CHECKED_LATER,
  budget: AT_LEAST_ZERO,
};

/** Finds memories and turns for a query, best first, and counts them as retrieved. */
export async function recallMemories(
  context: MemoryContext,
  search: SearchSpaces,
  query: string,
  options: RecallOptions = {},
): Promise<readonly RecallHit[]> {
  checkOptions("memory.recall", options, RECALL_RULES);
  const { ranked, time } = await findRanked(context, search, query, options);
  const hits = fitBudget(
    ranked.map((hit) => toHit(hit, time)),
    options.budget,
  );
  const spaces = visibleSpaces(context, options.scope);
  countRetrieved(context, spaces, ranked, new Set(hits.map(({ id }) => id)));
  return hits;
}

/** Result of `tl.memory.findRelevant`. */
export interface RelevantMemories {
  /** Best first. */
  readonly hits: readonly RecallHit[];
  /** True if the embedder failed and only words were compared. */
  readonly byWordsAlone: boolean;
}

/**
 * Finds memories and turns by text alone: age and use do not affect the order, and the search does not count as use.
 */
export async function findRelevant(
  context: MemoryContext,
  search: SearchSpaces,
  query: string,
  options: Pick<RecallOptions, "limit" | "from"> = {},
): Promise<RelevantMemories> {
  const { limit, from } = RECALL_RULES;
  checkOptions("memory.findRelevant", options, { limit, from });
  const { ranked, time, hasVector } = await findRanked(context, search, query, options, true);
  return { hits: ranked.map((hit) => toHit(hit, time)), byWordsAlone: !hasVector };
}

interface Ranked {
  readonly ranked: readonly RankedHit[];
  /** Reference time of the search: `asOf`, or now. */
  readonly time: number;
  /** False if the embedder failed. True for an empty query. */
  readonly hasVector: boolean;
}

async function findRanked(
  context: MemoryContext,
  search: SearchSpaces,
  query: string,
  options: RecallOptions,
  isSteady = false,
): Promise<Ranked> {
  const { limit = DEFAULT_LIMIT, cut = "calibrated", scope } = options;
  const question = await readQuestion(context, query, options);
  if (question === undefined) return { ranked: [], time: context.clock.now(), hasVector: true };
  const spaces = visibleSpaces(context, scope);
  const indexes = await search.openAll(spaces);
  const count = limit + (isSteady ? FEW_SPARE : SPARE_CANDIDATES);
  const read = (candidates: Candidates) => ({
    found: candidates,
    stems: readStems(candidates, hitTest(candidates, question, cut)),
  });
  const { searchExecutor } = context;
  const { found, stems } =
    searchExecutor === undefined
      ? read(searchIndexes(indexes, question, count))
      : await (await import("../search/thread-search.ts")).searchInThreads(
          searchExecutor,
          indexes,
          question,
          count,
          read,
        );
  const documents = await loadDocuments(context, spaces, found.candidates, stems);
  const ranked = rankHits(documents, found, question, { limit, cut, isSteady });
  return { ranked, time: question.asOf ?? question.now, hasVector: question.vector !== undefined };
}

async function readQuestion(
  context: MemoryContext,
  query: string,
  { asOf, from, kinds }: RecallOptions,
): Promise<Question | undefined> {
  if (typeof query !== "string") throw new InvalidOptionError("query", typeof query, "a string");
  const clean = stripInvisible(query).trim();
  if (clean === "") return undefined;
  const half = MAX_QUESTION_LENGTH / 2;
  const text = clean.length <= MAX_QUESTION_LENGTH ? clean : `${clean.slice(0, half)} ${clean.slice(-half)}`;
  const [vector] = (await embed(context, [text], "query")) ?? [];
  const { clock, projectId, allProjects, embedder } = context;
  const seesAllProjects = allProjects === undefined ? undefined : true;
  const time = asOf === undefined ? undefined : parseOptionTime("asOf", asOf);
  return omitUndefined({
    text: withoutUser(text),
    vector,
    rarity: embedder.rarity?.bind(embedder),
    now: clock.now(),
    asOf: time,
    from,
    kinds,
    projectId,
    seesAllProjects,
  });
}

type CandidateStems = ReadonlyMap<Candidate, ReadonlySet<number>>;

/** Stems of the candidates that can be hits. */
function readStems({ candidates }: Candidates, canBeHit: (candidate: Candidate) => boolean): CandidateStems {
  return new Map(candidates.filter(canBeHit).map((candidate) => [candidate, candidate.readStems()]));
}

/** Loads the memories and turns of the candidates with stems. Erased ones are skipped. */
async function loadDocuments(
  { memoryStore }: MemoryContext,
  spaces: readonly string[],
  candidates: readonly Candidate[],
  stemsOf: CandidateStems,
): Promise<readonly Found[]> {
  const used = [...Map.groupBy(stemsOf.keys(), ({ index }) => index)];
  const lookups = used.map(([at, own]) => {
    const ids = (type: string) => own.filter((candidate) => candidate.type === type).map(({ id }) => id);
    return { space: spaces[at] ?? "", memories: ids("memory"), turns: ids("turn") };
  });
  const found = lookups.length === 0 ? [] : await lookUp(memoryStore, lookups);
  const memories = new Map<string, Memory>();
  const turns = new Map<string, Utterance>();
  for (const [i, items] of found.entries()) {
    const at = used[i]?.[0];
    for (const memory of items.memories) memories.set(`${at} ${memory.id}`, memory);
    for (const turn of items.turns) turns.set(`${at} ${turn.id}`, turn);
  }
  return candidates.flatMap((candidate): Found[] => {
    const stems = stemsOf.get(candidate);
    if (stems === undefined) return [{ candidate }];
    const key = `${candidate.index} ${candidate.id}`;
    const [memory, turn] = [memories.get(key), turns.get(key)];
    if (memory !== undefined) return [{ candidate, memory, stems }];
    return turn === undefined ? [] : [{ candidate, turn, stems }];
  });
}

type UnscoredHit = Omit<RecallHit, "score" | "reasons">;

function toHit(hit: RankedHit, time: number): RecallHit {
  return { ...unscored(hit, time), score: hit.score, reasons: hit.reasons };
}

function unscored({ candidate, memory, turn }: Found, time: number): UnscoredHit {
  if (memory === undefined) return turnHit(candidate, turn, time);
  const { sessionId, messageId, at, speaker } = memory.source;
  const source = omitUndefined({ sessionId, messageId, at, speaker: speaker && stripInvisible(speaker) });
  return {
    type: "memory",
    id: memory.id,
    text: memoryText(memory),
    source,
    memory,
  };
}

function turnHit({ id }: Candidate, turn: Utterance | undefined, time: number): UnscoredHit {
  if (turn === undefined) return { type: "turn", id, text: "", source: {} };
  const { sessionId, messageId, at, speaker, role } = turn;
  const source = omitUndefined({
    sessionId,
    messageId: messageId ?? turn.id,
    at,
    speaker: stripInvisible(speaker ?? role),
  });
  const outdated = (turn.staleSpans ?? []).filter(({ since }) => since <= time);
  return { type: "turn", id, text: stripInvisible(currentText(turn.text, outdated)), source };
}

/** Fits hits into the budget, best first, each memory at its longest level that fits. */
function fitBudget(hits: readonly RecallHit[], budget: number | undefined): readonly RecallHit[] {
  if (budget === undefined) return hits;
  let left = budget;
  return hits.flatMap((hit) => {
    const { full, summary, compressed, index } = hit.memory?.levels ?? {};
    const texts = [hit.text, ...(full === undefined ? [] : [summary, compressed, index])];
    const text = texts.find((one) => one !== undefined && countTokens(one) <= left);
    if (text === undefined) return [];
    left -= countTokens(text);
    return [{ ...hit, text }];
  });
}

/** Counts the returned memories as retrieved, in the background. */
function countRetrieved(
  { memoryStore, clock, logger }: MemoryContext,
  spaces: readonly string[],
  found: readonly Found[],
  given: ReadonlySet<string>,
): void {
  const counts = retrievalCounts(memoryStore, logger);
  const memories = found.filter(({ memory }) => memory !== undefined && given.has(memory.id));
  for (const [at, some] of Map.groupBy(memories, ({ candidate }) => candidate.index)) {
    const ids = some.map(({ candidate }) => candidate.id);
    counts.count(spaces[at] ?? "", ids, clock.now());
  }
}
