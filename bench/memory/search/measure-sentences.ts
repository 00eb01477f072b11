import path from "node:path";
import { wordEmbedder } from "../../../packages/throughline/src/embed/word-embedder.ts";
import { packVector } from "../../../packages/throughline/src/memory/search/packed-vector.ts";
import { packEntry } from "../../../packages/throughline/src/memory/search/search-entry.ts";
import { SearchIndex } from "../../../packages/throughline/src/memory/search/search-index.ts";
import type { Conversation } from "../recall/conversation.ts";
import { readBeam } from "../recall/read-beam.ts";
import { readLocomo } from "../recall/read-locomo.ts";
import { splitSentences } from "../recall/split-sentences.ts";
import { askQuestion } from "../recall/throughline-ranker.ts";
import { exactShare } from "./measure-index.ts";

const embedder = wordEmbedder();
const QUESTIONS = 100;

export interface MeasuredSentences {
  readonly size: number;
  readonly exact: number;
}

/** Measures the share of the exact top ten in an index of real sentences: those of BEAM and LoCoMo in one space. */
export async function measureSentences(folder: string): Promise<MeasuredSentences> {
  const locomo = await readLocomo(path.join(folder, "locomo"));
  const beam = await readBeam(path.join(folder, "beam", "100K"));
  const index = new SearchIndex();
  let now = 0;
  for (const conversation of [...locomo, ...beam]) now = Math.max(now, await addSentences(index, conversation));
  const asked = locomo.flatMap(({ questions }) => questions);
  const step = Math.max(1, Math.floor(asked.length / QUESTIONS));
  const texts = asked.filter((_, at) => at % step === 0).slice(0, QUESTIONS);
  const questions = await Promise.all(texts.map((question) => askQuestion(question, { index, now })));
  return { size: index.size, exact: exactShare(index, questions) };
}

/** Adds each sentence of a conversation as a turn. Returns the time of the last one. */
async function addSentences(index: SearchIndex, { name, turns }: Conversation): Promise<number> {
  const sentences = turns.flatMap((turn) => splitSentences(turn.text).map((text) => ({ ...turn, text })));
  const vectors = await embedder.embed(sentences.map(({ text }) => text));
  sentences.forEach((sentence, position) => {
    const id = `${name} ${position}`;
    const searchable = { ...sentence, id, position, sessionId: `${name} ${sentence.sessionId}` };
    const vector = packVector(vectors[position] ?? new Float32Array());
    index.put(
      { id, entry: packEntry({ ...searchable, type: "turn" }), embedder: embedder.name, vector },
      embedder.name,
    );
  });
  return Math.max(0, ...turns.map(({ at = 0 }) => at));
}
