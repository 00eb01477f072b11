import {
  CHECKED_LATER,
  checkOptions,
  FLAG,
  OBJECT,
  type OptionRules,
  parseOptionTime,
} from "../../errors/check-options.ts";
import { describeValue, InvalidOptionError } from "../../errors/input-errors.ts";
import { findSecrets, redactSecrets } from "../../internal/find-secrets.ts";
import { omitUndefined } from "../../internal/json.ts";
import { stripInvisible } from "../../internal/text.ts";
import { mapYielding } from "../../internal/yield-to-event-loop.ts";
import { withoutInjected } from "../../ledger/quoted/user-words.ts";
import type { MemorySource, PendingFact, Utterance } from "../../ports/memory.ts";
import { extractFacts, MAX_FACTS_PER_MESSAGE, PEOPLE } from "../extract/extract-facts.ts";
import { blankForeignText, type ExtractedFact, type ExtractTurn } from "../extract/extract-turn.ts";
import { extractWithModel } from "../extract/extract-with-model.ts";
import { newId } from "../ids.ts";
import type { Ingested, IngestInput, IngestMessage, Remembered } from "../memory-api.ts";
import type { MemoryContext } from "../memory-context.ts";
import { JudgedBatch, judgeFor, recordJudgements } from "../remember/relate-facts.ts";
import { type RememberRequest, readExtractedFacts, stageRememberAll } from "../remember/remember.ts";
import type { SearchSpaces } from "../search/search-spaces.ts";
import { embed } from "../space/embed-texts.ts";
import { searchableMemory } from "../space/index-memory.ts";
import { isVisible, readLastTurn, spaceOf } from "../space/spaces.ts";
import type { PlanContext } from "../space/staged-space.ts";
import { writeSpace } from "../space/write-changes.ts";
import { joinSpans } from "../staleness/mark-stale.ts";
import { markOutdated, type SpokenTurn } from "./mark-outdated.ts";

/** Messages and characters per commit; a single message may be longer. */
const MAX_BATCH = 200;
const MAX_BATCH_CHARACTERS = 50_000;
/** Message ids that could be mistaken for ids of memories get their session's id in front. */
const RESERVED = /^mem_/;

const INGEST_RULES: OptionRules<IngestInput> = {
  sessionId: CHECKED_LATER,
  messages: CHECKED_LATER,
  keepSecrets: FLAG,
  signal: OBJECT,
};

/** Stores messages as turns, and saves the facts in them. */
export async function ingestTurns(context: MemoryContext, search: SearchSpaces, input: IngestInput): Promise<Ingested> {
  checkOptions("memory.ingest", input, INGEST_RULES);
  const { sessionId, messages, keepSecrets = false, signal } = input;
  if (typeof sessionId !== "string" || sessionId === "") {
    throw new InvalidOptionError("sessionId", JSON.stringify(sessionId), "the id of the session");
  }
  if (!Array.isArray(messages))
    throw new InvalidOptionError("messages", typeof messages, "a list of messages with role and text");
  const now = context.clock.now();
  const utterances = await mapYielding([...messages].entries(), ([at, message]) => ({
    ...readMessage(message, at, keepSecrets),
    newId: newId("turn", now),
  }));
  const memories = [...(await savePendingFacts(context, search, sessionId))];
  const turns: string[] = [];
  for (const part of splitBatches(utterances)) {
    const written = await ingestBatch(context, search, { sessionId, messages: part, keepSecrets, signal });
    turns.push(...written.turns.map(({ id }) => id));
    memories.push(...written.memories);
  }
  return { turns, memories };
}

/** A commit grows with the facts of its batch, so batches are bounded by characters too. */
function splitBatches(messages: readonly TimedMessage[]): readonly (readonly TimedMessage[])[] {
  const batches: TimedMessage[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const message of messages) {
    const last = batches.at(-1);
    const fits = last !== undefined && last.length < MAX_BATCH;
    if (fits && characters + message.text.length <= MAX_BATCH_CHARACTERS) {
      last.push(message);
      characters += message.text.length;
    } else {
      batches.push([message]);
      characters = message.text.length;
    }
  }
  return batches;
}

/** A checked message, as it is stored. */
interface TimedMessage extends Omit<IngestMessage, "at"> {
  readonly at: number | undefined;
  /** True if all of the text is synthetic. */
  readonly isSynthetic: boolean;
  /** The id of the turn if the message has none; it stays the same if the commit is tried again. */
  readonly newId: string;
}

interface Batch {
  readonly sessionId: string;
  readonly messages: readonly TimedMessage[];
  readonly keepSecrets: boolean;
  readonly signal: AbortSignal | undefined;
}

interface FoundFact {
  readonly fact: ExtractedFact;
  readonly turn: Utterance;
  /** The turn that the fact refers to. */
  readonly reply: Utterance | undefined;
}

/** A written batch, as store wrappers see it with the commit. */
interface IngestedBatch {
  readonly turns: readonly Utterance[];
  readonly memories: readonly Remembered[];
}

function readMessage(message: IngestMessage, at: number, keepSecrets: boolean): Omit<TimedMessage, "newId"> {
  const { id, role, name, text, extract } = message;
  if (id !== undefined && (typeof id !== "string" || id === "")) {
    throw new InvalidOptionError(`messages[${at}].id`, JSON.stringify(id), "a string that is not empty, or undefined");
  }
  if (name !== undefined && typeof name !== "string") {
    throw new InvalidOptionError(`messages[${at}].name`, typeof name, "a string, or undefined");
  }
  if (typeof role !== "string" || role === "")
    throw new InvalidOptionError(`messages[${at}].role`, role, "a string such as user or assistant");
  if (typeof text !== "string") throw new InvalidOptionError(`messages[${at}].text`, describeValue(text), "a string");
  if (extract !== undefined && typeof extract !== "boolean") {
    throw new InvalidOptionError(`messages[${at}].extract`, typeof extract, "true or false");
  }
  const spoken = dropInjected(message);
  const { name: _, ...rest } = spoken;
  const speaker = stripInvisible(name ?? "").trim();
  return {
    ...rest,
    ...(speaker !== "" && { name: speaker }),
    ...(keepSecrets ? {} : hideSecrets(spoken)),
    at: message.at === undefined ? undefined : parseOptionTime(`messages[${at}].at`, message.at),
    isSynthetic: isSynthetic(spoken),
  };
}

/** Drops text that a client injected into a user's message, unless the caller marked synthetic text itself. */
function dropInjected(message: IngestMessage): IngestMessage {
  const { role, text, synthetic = false } = message;
  if (!PEOPLE.includes(role) || synthetic !== false) return message;
  const spoken = withoutInjected(text);
  if (spoken === text) return message;
  return spoken.trim() === "" ? { ...message, synthetic: true } : { ...message, text: spoken.trim() };
}

/** True if all of a message was recalled or injected. */
function isSynthetic({ text, synthetic = false }: IngestMessage): boolean {
  if (typeof synthetic === "boolean") return synthetic;
  let from = 0;
  let left = "";
  for (const { start, end } of joinSpans(synthetic)) {
    left += text.slice(from, Math.max(from, start));
    from = Math.max(from, end);
  }
  return synthetic.length > 0 && (left + text.slice(from)).trim() === "";
}

/** Redacts secrets. If invisible characters split one, the text is stored without these characters. */
function hideSecrets({ text, synthetic = false }: IngestMessage): Pick<TimedMessage, "text" | "synthetic"> {
  const plain = stripInvisible(text);
  const secrets = findSecrets(text);
  if (plain === text) return { text: redactSecrets(text, secrets), synthetic };
  const revealed = findSecrets(plain);
  if (revealed.length === secrets.length) return { text: redactSecrets(text, secrets), synthetic };
  // The spans of the original text do not fit the stripped one.
  return { text: redactSecrets(plain, revealed), synthetic: synthetic !== false };
}

/** Writes the turns of a batch, the turns and facts that they outdate, and their own facts, in one commit. */
async function ingestBatch(context: MemoryContext, search: SearchSpaces, batch: Batch): Promise<IngestedBatch> {
  const space = spaceOf("user-private", context);
  const createdAt = context.clock.now();
  let extracted: ExtractedFacts | undefined;
  const written = await writeSpace(context, space, async (draft): Promise<IngestedBatch> => {
    const last = await readLastTurn(context.memoryStore, space, batch.sessionId);
    const fresh = await newTurns(context, space, batch, last, createdAt);
    const of = fresh.map(({ turn }) => turn.id).join("\n");
    // Facts are extracted once, also if another writer commits first: a model may be asked for them.
    if (extracted?.of !== of) extracted = { of, ...(await extractRequests(context, fresh, batch, createdAt)) };
    const { factsByTurn, requests } = extracted;
    const outdated = await markOutdated(draft.context, search, context.memoryStore, space, fresh.map(toSpoken));
    await draft.stage("ingest", {
      turns: outdated.turns.map((turn) => ({ turn, facts: factsByTurn.get(turn.id) ?? [] })),
      marked: outdated.older,
      memories: outdated.memories,
    });
    if (context.model !== undefined) await embedDrafts(draft.context, requests);
    const memories = await stageRememberAll(draft, search, requests);
    if (batch.signal?.aborted) throw batch.signal.reason;
    return { turns: outdated.turns, memories };
  });
  await recordJudgements(context, space, extracted?.requests ?? [], written.memories);
  return written;
}

/** Embeds all facts in one call; the searches for the candidates of each use the same vectors. */
async function embedDrafts(context: PlanContext, requests: readonly RememberRequest[]): Promise<void> {
  await embed(
    context,
    requests.map(({ draft }) => searchableMemory(draft).text),
  );
}

/** The facts of a batch. */
interface ExtractedFacts {
  /** Ids of the turns that they were extracted from. */
  readonly of: string;
  readonly factsByTurn: ReadonlyMap<string, readonly string[]>;
  readonly requests: readonly RememberRequest[];
}

async function extractRequests(
  context: MemoryContext,
  turns: readonly NewTurn[],
  { sessionId, keepSecrets, signal }: Batch,
  createdAt: number,
): Promise<Omit<ExtractedFacts, "of">> {
  const found = await findFacts(context, turns, { keepSecrets, signal });
  if (signal?.aborted) throw signal.reason;
  const byTurn = Map.groupBy(found, ({ turn }) => turn.id);
  const judged = new JudgedBatch(signal);
  return {
    factsByTurn: new Map(
      [...byTurn].map(([id, facts]) => [
        id,
        // Words of another message do not become words of this turn.
        facts.flatMap(({ fact, turn }) => (fact.referent || turn.text.includes(fact.text) ? [] : [fact.text])),
      ]),
    ),
    requests: readExtractedFacts(context, found.map(toPending), { sessionId, createdAt }).map((request) => {
      const judge = judgeFor(context, request.draft, judged);
      return { ...request, judge, byMeaning: judge !== undefined };
    }),
  };
}

function toPending({ fact, turn, reply }: FoundFact): PendingFact {
  const { text, category, key, value, subject, updatesPrevious } = fact;
  const source = { ...fact.source, ...placeOf(turn) };
  const referent = reply === undefined ? undefined : placeOf(reply);
  return omitUndefined({ text, category, key, value, subject, updatesPrevious, source, referent });
}

function placeOf({ id, sessionId, messageId = id, at }: Utterance): MemorySource {
  return omitUndefined({ sessionId, messageId, at });
}

interface NewTurn {
  readonly turn: Utterance;
  readonly message: TimedMessage;
}

/** A longer line may be pasted. */
const MAX_TYPED_LENGTH = 200;

/**
 * Only the own words of people outdate earlier text. A message of one short line is typed, also after a label such as
 * "[VP]".
 */
function toSpoken({ turn, message: { synthetic } }: NewTurn): SpokenTurn {
  const { id, role, text } = turn;
  if (!PEOPLE.includes(role)) return { turn, own: "" };
  const isTyped = synthetic === false && text.length <= MAX_TYPED_LENGTH && !text.trim().includes("\n");
  return { turn, own: isTyped ? text : blankForeignText(omitUndefined({ id, role, text, synthetic })).own };
}

/** The turns of a batch that are not stored yet, positioned after the last turn of the session. */
async function newTurns(
  context: MemoryContext,
  space: string,
  batch: Batch,
  last: Utterance | undefined,
  createdAt: number,
): Promise<readonly NewTurn[]> {
  const { userId, projectId } = context;
  const { sessionId } = batch;
  const taken = await takenIds(context, space, batch);
  let position = last === undefined ? 0 : last.position + 1;
  const turns: NewTurn[] = [];
  for (const message of batch.messages) {
    const id = turnId(message.id, sessionId, taken) ?? message.newId;
    if (taken.get(id) === sessionId) continue;
    taken.set(id, sessionId);
    const { role, name: speaker, text, at } = message;
    const utterances = { id, sessionId, position, messageId: message.id, role, speaker, text, at };
    const turn = {
      ...utterances,
      createdAt,
      owner: userId,
      projectId,
      synthetic: message.isSynthetic ? (true as const) : undefined,
    };
    turns.push({ turn: omitUndefined(turn), message });
    position += 1;
  }
  return turns;
}

/** Ids of stored turns that the messages could get, with their session. */
async function takenIds(
  { memoryStore }: MemoryContext,
  space: string,
  { sessionId, messages }: Batch,
): Promise<Map<string, string>> {
  const ids = messages.flatMap(({ id }) => (id === undefined ? [] : [id, compoundId(sessionId, id)]));
  const turns = ids.length === 0 ? [] : await memoryStore.get(space, "turns", ids);
  return new Map(turns.map((turn) => [turn.id, turn.sessionId]));
}

/** The message's id, with the session's in front if another session has a message of that id. */
function turnId(id: string | undefined, sessionId: string, taken: ReadonlyMap<string, string>): string | undefined {
  if (id === undefined) return undefined;
  const isFree = !RESERVED.test(id) && (taken.get(id) ?? sessionId) === sessionId;
  return isFree ? id : compoundId(sessionId, id);
}

function compoundId(sessionId: string, id: string): string {
  return `${sessionId}/${id}`;
}

async function findFacts(
  { model, logger }: MemoryContext,
  turns: readonly NewTurn[],
  { keepSecrets, signal }: Pick<Batch, "keepSecrets" | "signal">,
): Promise<readonly FoundFact[]> {
  const utterances = turns.map(({ turn, message }): ExtractTurn => {
    const { id, role, text, speaker } = turn;
    return omitUndefined({ id, role, text, speaker, synthetic: message.synthetic });
  });
  const byId = new Map(turns.flatMap(({ turn, message }) => (message.extract === false ? [] : [[turn.id, turn]])));
  if (byId.size === 0) return [];
  const options = omitUndefined({ keepSecrets, logger, signal });
  const extraction = model === undefined ? undefined : await extractWithModel(utterances, model, options);
  const facts = extraction?.facts ?? extractFacts(utterances, { keepSecrets });
  const counts = new Map<string, number>();
  return facts.flatMap((fact) => {
    const turn = byId.get(fact.source.messageId ?? "");
    if (turn === undefined) return [];
    const count = (counts.get(turn.id) ?? 0) + 1;
    counts.set(turn.id, count);
    const reply = turns.find((one) => one.turn.id === fact.referent?.messageId)?.turn;
    return count > MAX_FACTS_PER_MESSAGE ? [] : [{ fact, turn, reply }];
  });
}

/**
 * Saves the facts that version 0.1 extracted from a session but had not saved when it was stopped: it wrote turns first
 * and left the facts on the last turn. They belong to the project of that turn. Returns those that the caller can see.
 */
export async function savePendingFacts(
  context: MemoryContext,
  search: SearchSpaces,
  sessionId: string,
): Promise<readonly Remembered[]> {
  const space = spaceOf("user-private", context);
  const last = await readLastTurn(context.memoryStore, space, sessionId);
  if (last?.pending === undefined) return [];
  const own = { ...context, projectId: last.projectId };
  const requests = readExtractedFacts(own, last.pending, last);
  const { memories } = await writeSpace(own, space, async (draft): Promise<Ingested> => {
    const [turn] = await context.memoryStore.get(space, "turns", [last.id]);
    // Another process saved them, or erased the turn.
    if (turn?.pending === undefined) return { turns: [], memories: [] };
    await draft.stage("ingest", { marked: [withoutPending(turn)] });
    return { turns: [], memories: await stageRememberAll(draft, search, requests) };
  });
  return memories.filter(({ memory }) => isVisible(memory, context));
}

function withoutPending({ pending: _, ...turn }: Utterance): Utterance {
  return turn;
}
