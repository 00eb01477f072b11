import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { create, insertMultiple, load, save, search } from "@orama/orama";
import { stem } from "../../../../packages/throughline/src/language/stem.ts";
import { isStopWord } from "../../../../packages/throughline/src/language/stop-words.ts";
import type { SaidTurn } from "../../recall/conversation.ts";
import type { OpenPeer, Peer } from "../peer.ts";
import { embedPassages, embedQuestion } from "../shared-embedder.ts";
import { dayOf, turnText } from "../turn-text.ts";

const SCHEMA = { text: "string", speaker: "string", day: "string", vector: "vector[100]" } as const;

/**
 * Tried for full text, R@10 on the three conversations: defaults 29, with its stemmer 29, without stop words 49
 * (tolerance 1: 43), the speaker and the day as fields 60, the speaker's boost 4: 62 (1 to 16), without b 68, because
 * its frequencies are already relative to the text length (k 0.01 to 1.2, b 0 to 0.7, d 0 to 5). A mark after every
 * stem, so that a word does not match as a prefix: R@1 39 to 41, R@10 the same. Repeated words counted: 69.
 */
const FULL_TEXT = {
  properties: ["text", "speaker", "day"] as ("text" | "speaker" | "day")[],
  boost: { speaker: 4 },
  relevance: { k: 1.2, b: 0, d: 0.5 },
};

/**
 * Tried: vector weights from 0.1 to 0.5; minimum similarities of 0, 0.4 and 0.8, its default, at which hardly any
 * vector counts.
 */
const HYBRID = { ...FULL_TEXT, mode: "hybrid", hybridWeights: { text: 0.7, vector: 0.3 } } as const;

export const oramaFullText: Peer = {
  open: async (turns, folder) => fullText(await fill(turns), folder),
  reopen: async (folder) => fullText(await read(folder), folder),
};

function fullText(index: Index, folder: string): OpenPeer {
  const ask = async (term: string, limit: number) => idsOf(await search(index, { ...FULL_TEXT, term, limit }));
  return { rank: ask, recall: ask, close: () => write(index, folder) };
}

export const oramaHybrid: Peer = {
  open: async (turns, folder) => hybrid(await fill(turns), folder),
  reopen: async (folder) => hybrid(await read(folder), folder),
};

function hybrid(index: Index, folder: string): OpenPeer {
  const ask = async (term: string, limit: number, least: { readonly similarity?: number }) => {
    const vector = { value: await embedQuestion(term), property: "vector" } as const;
    return idsOf(await search(index, { ...HYBRID, ...least, term, limit, vector }));
  };
  return {
    rank: (question, limit) => ask(question, limit, { similarity: 0 }),
    recall: (question, limit) => ask(question, limit, {}),
    close: () => write(index, folder),
  };
}

type Index = ReturnType<typeof empty>;

function empty() {
  const tokenizer = { stemming: true, stemmer: toStem, allowDuplicates: true };
  return create({ schema: SCHEMA, components: { tokenizer } });
}

function fileOf(folder: string): string {
  return path.join(folder, "orama.json");
}

/** JSON, as its plugin for files writes it. */
function write(index: Index, folder: string): Promise<void> {
  return writeFile(fileOf(folder), JSON.stringify(save(index)));
}

async function read(folder: string): Promise<Index> {
  const index = empty();
  load(index, JSON.parse(await readFile(fileOf(folder), "utf8")));
  return index;
}

async function fill(turns: readonly SaidTurn[]): Promise<Index> {
  const index = empty();
  const vectors = await embedPassages(turns.map(turnText));
  const documents = turns.map((turn, at) => ({
    id: turn.id,
    text: turn.text,
    speaker: turn.speaker ?? turn.role,
    day: dayOf(turn),
    vector: vectors[at] ?? [],
  }));
  await insertMultiple(index, documents);
  return index;
}

/** Empty stems are dropped; the part after the last full stop is already empty. */
function toStem(word: string): string {
  return word === "" || isStopWord(word) ? "" : `${stem(word)}_`;
}

function idsOf({ hits }: { readonly hits: readonly { readonly id: string }[] }): string[] {
  return hits.map(({ id }) => id);
}
