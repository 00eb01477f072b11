import { DatabaseSync } from "node:sqlite";
import { wordEmbedder } from "../../../packages/throughline/src/embed/word-embedder.ts";
import { dateWords } from "../../../packages/throughline/src/language/dates.ts";
import { stem } from "../../../packages/throughline/src/language/stem.ts";
import { isStopWord } from "../../../packages/throughline/src/language/stop-words.ts";
import { readWords } from "../../../packages/throughline/src/language/words.ts";
import type { Conversation, SaidTurn } from "./conversation.ts";
import { askQuestion, indexConversation, search } from "./throughline-ranker.ts";

/** Ranks the turns of a conversation for a question: the ids of the best, at most `limit`. */
type Rank = (question: string, limit: number) => Promise<readonly string[]>;
/** A ranking method, prepared for one conversation. */
export type Ranker = (conversation: Conversation) => Promise<Rank>;

type Counts = ReadonlyMap<string, number>;

/** By name, in the order of the tables. */
export const RANKERS: Readonly<Record<string, Ranker>> = {
  "plain BM25": async ({ turns }) => {
    const score = plainBm25(turns.map(({ text }) => text));
    return async (question, limit) => best(turns, score(question), limit);
  },
  "FTS5, context columns": fts5,
  "contextual recipe": recipe,
  ours: async (conversation) => {
    const asked = await indexConversation(conversation);
    return async (text, limit) => {
      const question = await askQuestion({ text }, asked);
      return search(asked, question, limit).candidates.map(({ id }) => id);
    };
  },
};

/** Scores of texts for a question by BM25 with the usual parameters. */
export function plainBm25(texts: readonly string[]): (question: string) => readonly number[] {
  return bm25(texts.map(countStems), 1.2, 0.75);
}

function stems(text: string): string[] {
  return readWords(text)
    .filter((word) => !isStopWord(word))
    .map((word) => stem(word));
}

function countStems(text: string): Counts {
  const counts = new Map<string, number>();
  for (const word of stems(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Date, speaker and text of a turn. */
function whole({ at, speaker, text }: SaidTurn): string {
  return [at === undefined ? "" : dateWords(at), speaker ?? "", text].join(" ");
}

function bm25(documents: readonly Counts[], k1: number, b: number): (question: string) => number[] {
  const lengths = documents.map((counts) => [...counts.values()].reduce((sum, count) => sum + count, 0));
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  const having = new Map<string, number>();
  for (const counts of documents) for (const word of counts.keys()) having.set(word, (having.get(word) ?? 0) + 1);
  return (question) => {
    const words = [...new Set(stems(question))];
    return documents.map((counts, at) =>
      words.reduce((sum, word) => {
        const count = counts.get(word) ?? 0;
        const documentsWith = having.get(word) ?? 0;
        const idf = Math.log(1 + (documents.length - documentsWith + 0.5) / (documentsWith + 0.5));
        return sum + (idf * count * (k1 + 1)) / (count + k1 * (1 - b + (b * (lengths[at] ?? 0)) / mean));
      }, 0),
    );
  };
}

function best(turns: readonly SaidTurn[], scores: readonly number[], limit: number): string[] {
  const order = scores.map((score, at) => ({ score, at })).sort((a, b) => b.score - a.score || a.at - b.at);
  return order.slice(0, limit).map(({ at }) => turns[at]?.id ?? "");
}

/** The turn at a distance in the same session. */
function neighbor(turns: readonly SaidTurn[], at: number, distance: number): SaidTurn | undefined {
  const other = turns[at + distance];
  return other?.sessionId === turns[at]?.sessionId ? other : undefined;
}

/** One column for the turn itself, one for each direct neighbor, one for turns at a distance of two to four. */
async function fts5({ turns }: Conversation): Promise<Rank> {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE VIRTUAL TABLE t USING fts5(own, previous, next, around, tokenize = 'porter unicode61')");
  const insert = database.prepare("INSERT INTO t (rowid, own, previous, next, around) VALUES (?, ?, ?, ?, ?)");
  turns.forEach((turn, at) => {
    const text = (...distances: number[]): string =>
      distances.map((distance) => neighbor(turns, at, distance)?.text ?? "").join(" ");
    insert.run(at + 1, whole(turn), text(-1), text(1), text(-4, -3, -2, 2, 3, 4));
  });
  const select = database.prepare("SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t, 1, 0.5, 0.35, 0.15) LIMIT ?");
  return async (question, limit) => {
    const words = readWords(question).filter((word) => !isStopWord(word));
    if (words.length === 0) return [];
    const rows = select.all(words.map((word) => `"${word}"`).join(" OR "), limit);
    return rows.map(({ rowid }) => turns[Number(rowid) - 1]?.id ?? "");
  };
}

const embedder = wordEmbedder();

/** z(contextual BM25) + 0.5 z(cosine) + 1.5 if the question names one participant and it spoke. */
async function recipe({ turns }: Conversation): Promise<Rank> {
  const own = turns.map((turn) => countStems(whole(turn)));
  const documents = turns.map((_, at) => {
    const counts = new Map<string, number>();
    for (let distance = -4; distance <= 4; distance += 1) {
      if (neighbor(turns, at, distance) === undefined) continue;
      const weight = distance === 0 ? 1 : (distance < 0 ? 0.5 : 0.35) / Math.abs(distance);
      for (const [word, count] of own[at + distance] ?? []) counts.set(word, (counts.get(word) ?? 0) + weight * count);
    }
    return counts;
  });
  const score = bm25(documents, 0.9, 0.3);
  const vectors = await embedder.embed(turns.map(({ text }) => text));
  const speakers = [...new Set(turns.map(({ speaker }) => speaker))].filter((name) => name !== undefined);
  return async (question, limit) => {
    const [vector = new Float32Array()] = await embedder.embed([question]);
    const words = standardize(score(question));
    const cosines = standardize(vectors.map((other) => other.reduce((sum, x, at) => sum + x * (vector[at] ?? 0), 0)));
    const named = speakers.filter((name) => readWords(question).includes(name.toLowerCase()));
    const fused = turns.map(({ speaker }, at) => {
      const isAsked = named.length === 1 && speaker === named[0];
      return (words[at] ?? 0) + 0.5 * (cosines[at] ?? 0) + (isAsked ? 1.5 : 0);
    });
    return best(turns, fused, limit);
  };
}

function standardize(scores: readonly number[]): number[] {
  const mean = scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length);
  const deviation = Math.sqrt(scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / Math.max(1, scores.length));
  return scores.map((score) => (deviation === 0 ? 0 : (score - mean) / deviation));
}
