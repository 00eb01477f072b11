import { DatabaseSync } from "node:sqlite";
import { packVector } from "../../../packages/throughline/src/memory/search/packed-vector.ts";
import { EXHAUSTIVE, type Question, searchIndexes } from "../../../packages/throughline/src/memory/search/search.ts";
import { packEntry, type Searchable } from "../../../packages/throughline/src/memory/search/search-entry.ts";
import { SearchIndex } from "../../../packages/throughline/src/memory/search/search-index.ts";
import { bytesHeld } from "../bytes-held.ts";
import { generator, makeEntries, makeQuestions, makeVector } from "../recall/generated-turns.ts";
import { cpuTime, fastest } from "./cpu-time.ts";

const DIMENSIONS = 100;
const QUESTIONS = 60;
const CANDIDATES = 70;
/** Questions whose hits are compared with the exact ones. */
const COMPARED = 40;
const EMBEDDER = "made";
const NOW = Date.UTC(2026, 0, 1);

export interface MeasuredIndex {
  readonly size: number;
  readonly heldBytes: number;
  readonly loadMs: number;
  /** Milliseconds of each question: by words alone, by words and meaning, and by FTS5. */
  readonly words: readonly number[];
  readonly hybrid: readonly number[];
  readonly fts5: readonly number[];
  /** Share of the exact top ten that the search returns. */
  readonly exact: number;
}

/** Measures the search of an index with made texts, beside FTS5 on the same texts and questions. */
export function measureIndex(size: number): MeasuredIndex {
  const draw = generator(3);
  const centers = Array.from({ length: 300 }, () => makeVector(draw, DIMENSIONS, []));
  const made = makeEntries(1);
  const searchables = Array.from({ length: size }, () => made.next().value);
  const held = bytesHeld();
  const index = new SearchIndex();
  const [loadMs] = cpuTime(() => {
    for (const searchable of searchables) {
      const vector = packVector(makeVector(draw, DIMENSIONS, centers));
      index.put({ id: searchable.id, entry: packEntry(searchable), embedder: EMBEDDER, vector }, EMBEDDER);
    }
  });
  const heldBytes = bytesHeld() - held;
  const texts = makeQuestions(2, QUESTIONS);
  const questions = texts.map((text): Question => ({ text, now: NOW, vector: makeVector(draw, DIMENSIONS, centers) }));
  const ask = (question: Question) => searchIndexes([index], question, CANDIDATES);
  // Until the code is compiled.
  for (let round = 0; round < 3; round += 1) questions.forEach(ask);
  return {
    size,
    heldBytes,
    loadMs,
    words: texts.map((text) => fastest(() => ask({ text, now: NOW }))),
    hybrid: questions.map((question) => fastest(() => ask(question))),
    fts5: measureFts5(searchables, texts),
    exact: exactShare(index, questions.slice(0, COMPARED)),
  };
}

/** Share of the ten best documents, with all scored in full, that the search returns. */
export function exactShare(index: SearchIndex, questions: readonly Question[]): number {
  const shares = questions.map((question) => {
    const ids = (effort?: typeof EXHAUSTIVE): readonly string[] =>
      searchIndexes([index], question, CANDIDATES, effort)
        .candidates.slice(0, 10)
        .map(({ id }) => id);
    const found = new Set(ids());
    const exact = ids(EXHAUSTIVE);
    return exact.filter((id) => found.has(id)).length / exact.length;
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

function measureFts5(searchables: readonly Searchable[], questions: readonly string[]): number[] {
  const database = new DatabaseSync(":memory:");
  database.exec(
    "CREATE VIRTUAL TABLE t USING fts5(own, previous, next, around, content = '', tokenize = 'porter unicode61'); BEGIN",
  );
  const insert = database.prepare("INSERT INTO t (own, previous, next, around) VALUES (?, ?, ?, ?)");
  const text = (at: number): string => searchables[at]?.text ?? "";
  searchables.forEach((_, at) => {
    const around = [-4, -3, -2, 2, 3, 4].map((distance) => text(at + distance)).join(" ");
    insert.run(text(at), text(at - 1), text(at + 1), around);
  });
  database.exec("COMMIT");
  const select = database.prepare("SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t, 1, 0.5, 0.35, 0.15) LIMIT ?");
  const times = questions.map((question) => {
    const match = (question.match(/\w+/g) ?? []).map((word) => `"${word}"`).join(" OR ");
    return fastest(() => select.all(match, CANDIDATES));
  });
  database.close();
  return times;
}
