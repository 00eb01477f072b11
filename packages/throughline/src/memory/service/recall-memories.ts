import { InvalidOptionError } from "../../errors/invalid-option-error.ts";
import { stripInvisible } from "../../ledger/one-line.ts";
import { omitUndefined } from "../../message/read-json.ts";
import type { Memory, Turn } from "../../ports/memory.ts";
import { countTokens } from "../../tokens/count-tokens.ts";
import { type Found, rankHits } from "../recall/rank-hits.ts";
import { type Candidate, type Question, searchIndexes } from "../recall/search.ts";
import { currentText } from "../staleness/current-text.ts";
import { outdatedSpans } from "../staleness/outdated-spans.ts";
import { checkKind, checkOneOf, checkScope } from "./check-input.ts";
import type { RecallHit, RecallOptions } from "./memory-api.ts";
import type { MemoryContext } from "./memory-context.ts";
import { readTime } from "./read-time.ts";
import type { SearchSpaces } from "./search-spaces.ts";
import { embed, withoutUser } from "./shelve.ts";
import { visibleSpaces } from "./spaces.ts";

const DEFAULT_LIMIT = 10;
const MOST_HITS = 1_000;
/** Candidates whose documents are looked at, beyond those that are wanted. */
const SPARE_CANDIDATES = 60;
/** What is longer is no question: its beginning and its end say what it is about. */
const LONGEST_QUESTION = 4_000;

/** What fits a question, the best first; nothing where nothing fits. */
export async function recallMemories(
  context: MemoryContext,
  search: SearchSpaces,
  query: string,
  options: RecallOptions = {},
): Promise<readonly RecallHit[]> {
  const { limit = DEFAULT_LIMIT, cut = "calibrated", scope, budget } = options;
  checkOptions(options);
  const question = await readQuestion(context, query, options);
  if (question === undefined) return [];
  const spaces = visibleSpaces(context, scope);
  const indexes = await Promise.all(spaces.map((space) => search.open(space)));
  const found = searchIndexes(indexes, question, limit + SPARE_CANDIDATES);
  const time = question.asOf ?? question.now;
  const documents = await loadDocuments(context, spaces, found.candidates);
  const ranked = rankHits(documents, found, question, { limit, cut });
  const hits = fitBudget(
    ranked.map((hit) => ({ ...toHit(hit, time), score: hit.score, reasons: hit.reasons })),
    budget,
  );
  await countRetrieved(context, spaces, ranked, new Set(hits.map(({ id }) => id)));
  return hits;
}

function checkOptions({ limit, cut, from, scope, budget, kinds }: RecallOptions): void {
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= MOST_HITS)) {
    throw new InvalidOptionError("limit", limit, `a whole number from 1 to ${MOST_HITS}`);
  }
  if (budget !== undefined && !(budget >= 0)) throw new InvalidOptionError("budget", budget, "a number of tokens");
  checkOneOf("cut", cut, ["calibrated", "none"]);
  checkOneOf("from", from, ["both", "memories", "turns"]);
  checkScope(scope);
  if (kinds !== undefined && !Array.isArray(kinds)) throw new InvalidOptionError("kinds", kinds, "a list of kinds");
  for (const kind of kinds ?? []) checkKind(kind);
}

async function readQuestion(
  context: MemoryContext,
  query: string,
  { asOf, from, kinds }: RecallOptions,
): Promise<Question | undefined> {
  if (typeof query !== "string") throw new InvalidOptionError("query", typeof query, "a text");
  const clean = stripInvisible(query).trim();
  if (clean === "") return undefined;
  const half = LONGEST_QUESTION / 2;
  const text = clean.length <= LONGEST_QUESTION ? clean : `${clean.slice(0, half)} ${clean.slice(-half)}`;
  const [vector] = (await embed(context, [text], "query")) ?? [];
  const { clock, projectId } = context;
  const time = asOf === undefined ? undefined : readTime("asOf", asOf);
  return omitUndefined({ text: withoutUser(text), vector, now: clock.now(), asOf: time, from, kinds, projectId });
}

/** What the candidates stand for. What was erased since is left out. */
async function loadDocuments(
  { shelf }: MemoryContext,
  spaces: readonly string[],
  candidates: readonly Candidate[],
): Promise<readonly Found[]> {
  const memories = new Map<string, Memory>();
  const turns = new Map<string, Turn>();
  await Promise.all(
    spaces.map(async (space, at) => {
      const own = candidates.filter(({ index }) => index === at);
      const ids = (type: string) => own.filter((candidate) => candidate.type === type).map(({ id }) => id);
      for (const memory of await load(ids("memory"), (some) => shelf.memories(space, some))) {
        memories.set(`${at} ${memory.id}`, memory);
      }
      for (const turn of await load(ids("turn"), (some) => shelf.turns(space, some)))
        turns.set(`${at} ${turn.id}`, turn);
    }),
  );
  return candidates.flatMap((candidate): Found[] => {
    const key = `${candidate.index} ${candidate.id}`;
    const [memory, turn] = [memories.get(key), turns.get(key)];
    if (memory !== undefined) return [{ candidate, memory }];
    return turn === undefined ? [] : [{ candidate, turn }];
  });
}

async function load<T>(
  ids: readonly string[],
  read: (ids: readonly string[]) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  return ids.length === 0 ? [] : read(ids);
}

type Told = Omit<RecallHit, "score" | "reasons">;

function toHit({ candidate, memory, turn }: Found, time: number): Told {
  if (memory === undefined) return turnHit(candidate, turn, time);
  const { sessionId, messageId, at, speaker } = memory.source;
  const source = omitUndefined({ sessionId, messageId, at, speaker: speaker && stripInvisible(speaker) });
  return {
    type: "memory",
    id: memory.id,
    text: tellMemory(memory),
    source,
    memory,
  };
}

/** What a memory says of what is wrong is left out. */
function tellMemory({ levels, servedLevel }: Memory): string {
  const text = stripInvisible(levels[servedLevel ?? "full"]);
  return currentText(text, outdatedSpans(text)) || text;
}

function turnHit({ id }: Candidate, turn: Turn | undefined, time: number): Told {
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

/** As many of the best as fit, each memory at the richest level that does. */
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

/** Nothing that was asked for fails because it could not be counted. */
async function countRetrieved(
  { shelf, clock, logger }: MemoryContext,
  spaces: readonly string[],
  found: readonly Found[],
  given: ReadonlySet<string>,
): Promise<void> {
  const memories = found.filter(({ memory }) => memory !== undefined && given.has(memory.id));
  for (const [at, some] of Map.groupBy(memories, ({ candidate }) => candidate.index)) {
    const ids = some.map(({ candidate }) => candidate.id);
    try {
      await shelf.countUse(spaces[at] ?? "", ids, "retrieved", clock.now());
    } catch (error) {
      logger.warn(`What was recalled could not be counted: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
