import { wordEmbedder } from "../../../packages/throughline/src/embed/word-embedder.ts";
import { type RankOptions, rankHits } from "../../../packages/throughline/src/memory/recall/rank-hits.ts";
import { packVector } from "../../../packages/throughline/src/memory/search/packed-vector.ts";
import {
  type Candidates,
  type Question,
  searchIndexes,
} from "../../../packages/throughline/src/memory/search/search.ts";
import { packEntry } from "../../../packages/throughline/src/memory/search/search-entry.ts";
import { SearchIndex } from "../../../packages/throughline/src/memory/search/search-index.ts";
import type { Utterance } from "../../../packages/throughline/src/ports/memory.ts";
import type { AskedQuestion, Conversation, SaidTurn } from "./conversation.ts";

const embedder = wordEmbedder();
/** Additional candidates, as `recall` requests them. */
const SPARE = 60;

/** An indexed conversation. */
export interface Asked {
  readonly index: SearchIndex;
  /** Time of its last turn. */
  readonly now: number;
}

/** Indexes all turns of a conversation, as `ingest` does. */
export async function indexConversation({ turns }: Pick<Conversation, "turns">): Promise<Asked> {
  const index = new SearchIndex();
  const vectors = await embedder.embed(turns.map(({ text }) => text));
  turns.forEach((turn, at) => {
    const vector = packVector(vectors[at] ?? new Float32Array());
    const entry = packEntry({ ...turn, type: "turn" });
    index.put({ id: turn.id, entry, embedder: embedder.name, vector }, embedder.name);
  });
  return { index, now: Math.max(0, ...turns.map(({ at = 0 }) => at)) };
}

/** A question in the form of `recall`. */
export async function askQuestion({ text }: Pick<AskedQuestion, "text">, { now }: Asked): Promise<Question> {
  const [vector] = await embedder.embed([text]);
  const rarity = embedder.rarity?.bind(embedder);
  return { text, now, ...(vector && { vector }), ...(rarity && { rarity }) };
}

export function search(asked: Asked, question: Question, limit: number): Candidates {
  return searchIndexes([asked.index], question, limit);
}

/** Ids that `recall` returns for a question, in order. */
export function recall(
  { turns }: Pick<Conversation, "turns">,
  asked: Asked,
  question: Question,
  options: RankOptions,
): readonly string[] {
  const known = new Map(turns.map((turn) => [turn.id, turn]));
  const found = search(asked, question, options.limit + SPARE);
  const documents = found.candidates.map((candidate) => ({
    candidate,
    turn: toTurn(known.get(candidate.id)),
    stems: candidate.readStems(),
  }));
  return rankHits(documents, found, question, options).map(({ candidate }) => candidate.id);
}

function toTurn(turn: SaidTurn | undefined): Utterance {
  const { id, sessionId, position, role, text } = turn ?? { id: "", sessionId: "", position: 0, role: "", text: "" };
  return { id, sessionId, position, role, text, createdAt: 0, owner: "bench" };
}
