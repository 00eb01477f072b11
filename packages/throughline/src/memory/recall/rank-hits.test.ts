import { describe, expect, it } from "vitest";
import { wordEmbedder } from "../../embed/word-embedder.ts";
import { DAY } from "../../internal/time.ts";
import type { Memory, Utterance } from "../../ports/memory.ts";
import { factOf } from "../facts/memory.arbitrary.ts";
import { packVector } from "../search/packed-vector.ts";
import { NOW } from "../search/search.arbitrary.ts";
import { type Question, searchIndexes } from "../search/search.ts";
import { packEntry } from "../search/search-entry.ts";
import { SearchIndex } from "../search/search-index.ts";
import { type Found, hitTest, type RankedHit, rankHits } from "./rank-hits.ts";

const embedder = wordEmbedder();

function remembered(text: string, more: Partial<Memory> = {}): Memory {
  return factOf(text, { lastSeenAt: NOW - 100 * DAY, validFrom: 0, ...more });
}

function said(position: number, text: string, more: Partial<Utterance> = {}): Utterance {
  return { id: `t${position}`, sessionId: "s", position, role: "user", text, createdAt: NOW, owner: "u1", ...more };
}

/** Indexes the documents and returns the ranked hits for a query. */
async function recall(
  text: string,
  documents: readonly (Memory | Utterance)[],
  more: Partial<Question> & {
    readonly cut?: "calibrated" | "none";
    readonly candidates?: number;
    readonly isWhole?: boolean;
  } = {},
): Promise<readonly RankedHit[]> {
  const { cut = "calibrated", candidates: most = 70, isWhole = true, ...asked } = more;
  const index = new SearchIndex();
  const found = new Map<string, Omit<Found, "candidate">>();
  for (const document of documents) {
    const isMemory = "levels" in document;
    const full = isMemory ? document.levels.full : document.text;
    const [vector = new Float32Array()] = await embedder.embed([full]);
    const entry = isMemory
      ? packEntry({ id: document.id, type: "memory", kind: document.kind, text: full, also: document.aliases })
      : packEntry({ ...document, type: "turn" });
    index.put({ id: document.id, entry, embedder: embedder.name, vector: packVector(vector) }, embedder.name);
    found.set(document.id, isMemory ? { memory: document } : { turn: document });
  }
  const [vector] = await embedder.embed([text]);
  const question: Question = { text, now: NOW, ...(vector && { vector }), ...asked };
  const candidates = searchIndexes([index], question, most);
  const isLoaded = isWhole ? () => true : hitTest(candidates, question, cut);
  const hits = candidates.candidates.map((candidate) =>
    isLoaded(candidate) ? { candidate, stems: candidate.readStems(), ...found.get(candidate.id) } : { candidate },
  );
  return rankHits(hits, candidates, question, { limit: 10, cut });
}

const texts = (hits: readonly RankedHit[]): string[] =>
  hits.map(({ memory, turn }) => memory?.levels.full ?? turn?.text ?? "");

const MEMORIES = [
  "We chose PostgreSQL for its JSON support",
  "Deploys go out on Fridays after the tests",
  "The user is allergic to peanuts",
  "The user's daughter is called Mia",
  "The API answers within 200 ms",
  "Anna prefers tabs over spaces",
  "The billing service is written in Rust",
  "The office is closed in August",
].map((text) => remembered(text));

describe("the cut in small stores", () => {
  const [postgres] = MEMORIES;

  it.each(["PostgreSQL", "postgresql json", "What did we choose PostgreSQL for?"])(
    "returns the one matching memory: %s",
    async (question) => {
      expect(await recall(question, postgres === undefined ? [] : [postgres])).toHaveLength(1);
    },
  );

  it.each(["What is for dinner tonight?", "peanuts", "Who won the football match?", "Kubernetes", "?"])(
    "returns nothing if the one memory does not match: %s",
    async (question) => {
      expect(await recall(question, postgres === undefined ? [] : [postgres])).toEqual([]);
    },
  );

  it.each([
    ["Which database did we choose: PostgreSQL or another?", "We chose PostgreSQL for its JSON support"],
    ["peanut allergy", "The user is allergic to peanuts"],
    ["What is my daughter called?", "The user's daughter is called Mia"],
    ["Rust", "The billing service is written in Rust"],
    ["When do deploys go out?", "Deploys go out on Fridays after the tests"],
  ])("gives the one out of eight that fits first: %s", async (question, wanted) => {
    const hits = texts(await recall(question, MEMORIES));
    expect(hits[0]).toBe(wanted);
    expect(hits.length).toBeLessThanOrEqual(3);
  });

  it.each(["How do I bake sourdough bread?", "What did Gina buy in Paris?", "quantum chromodynamics", "of the and"])(
    "returns nothing if none of eight matches: %s",
    async (question) => {
      expect(await recall(question, MEMORIES)).toEqual([]);
    },
  );

  it("finds by an alias", async () => {
    const hits = await recall("k8s", [...MEMORIES, remembered("We run on Kubernetes", { aliases: ["k8s"] })]);
    expect(texts(hits)).toEqual(["We run on Kubernetes"]);
  });

  it.each([
    ["Где я живу, в Москве?", "Пользователь живёт в Москве"],
    ["東京に住んでいますか", "ユーザーは東京に住んでいる"],
    ["¿Dónde está la oficina?", "La oficina está en Sevilla"],
  ])("reads other languages: %s", async (question, text) => {
    expect(texts(await recall(question, [...MEMORIES, remembered(text)]))[0]).toBe(text);
  });

  it("returns the requested number without a cut", async () => {
    expect(await recall("quantum chromodynamics", MEMORIES, { cut: "none" })).toHaveLength(8);
  });
});

describe("hitTest", () => {
  it("excludes turns without a change of the hits", async () => {
    const turns = ["The office", "is closed", "in August,", "and what about", "PostgreSQL and tests?", "We deploy"];
    const documents = [...MEMORIES, ...turns.map((text, at) => said(at, text))];
    for (const text of ["PostgreSQL tests", "When is the office closed?", "Anna and Mia", "quantum"]) {
      const hits = await recall(text, documents);
      expect(await recall(text, documents, { isWhole: false })).toEqual(
        hits.map((hit) => ({ ...hit, candidate: expect.objectContaining({ id: hit.candidate.id }) })),
      );
    }
  });

  it("excludes a turn that is far behind the best", async () => {
    const index = new SearchIndex();
    for (const turn of [said(0, "Lena paints boats in the harbor"), said(9, "Dogs"), said(20, "Cats")])
      index.put({ id: turn.id, entry: packEntry({ ...turn, type: "turn" }) }, embedder.name);
    const question: Question = { text: "Who paints boats in the harbor?", now: NOW };
    const found = searchIndexes([index], question, 10);
    const passing = (cut: "calibrated" | "none") =>
      found.candidates.filter(hitTest(found, question, cut)).map(({ id }) => id);
    expect(passing("calibrated")).toEqual(["t0"]);
    expect(passing("none")).toHaveLength(3);
  });
});

describe("rankHits", () => {
  it("returns descending scores from 0 to 1", async () => {
    const scores = (await recall("PostgreSQL tests", MEMORIES, { cut: "none" })).map(({ score }) => score);
    expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  it("breaks ties by use, pin, confidence and recency", async () => {
    const better: Partial<Memory>[] = [
      { usage: { retrieved: 4, cited: 4, ignored: 0 } },
      { pinned: true },
      { confidence: 0.95 },
      { lastSeenAt: NOW },
    ];
    for (const more of better) {
      const hits = await recall("blue boat", [
        remembered("a blue boat lies here"),
        remembered("a blue boat lies there", { id: "z", ...more }),
      ]);
      expect(hits[0]?.candidate.id).toBe("z");
    }
  });

  it("never ranks usage above relevance", async () => {
    const liked = { pinned: true, confidence: 1, lastSeenAt: NOW, usage: { retrieved: 99, cited: 99, ignored: 0 } };
    const hits = await recall("Who is allergic to peanuts?", [
      ...MEMORIES.map((memory) => (memory.levels.full.includes("peanuts") ? memory : { ...memory, ...liked })),
    ]);
    expect(texts(hits)[0]).toBe("The user is allergic to peanuts");
  });

  it("removes duplicates, and prefers a memory to its source turn", async () => {
    const hits = await recall("Where do I live?", [
      said(0, "I live in Lisbon.", { messageId: "m1" }),
      remembered("User lives in Lisbon", { source: { sessionId: "s", messageId: "m1", quote: "I live in Lisbon." } }),
      said(8, "I live in Lisbon!"),
    ]);
    expect(hits.map(({ candidate }) => candidate.type)).toEqual(["memory"]);
  });

  it("keeps hits that differ in a number or negation", async () => {
    const hits = await recall("When is the deadline of the report?", [
      remembered("The deadline of the report is on April 1"),
      remembered("The deadline of the report is on April 5"),
      remembered("The deadline of the report is not on April 5"),
    ]);
    expect(hits).toHaveLength(3);
  });

  it("returns reasons", async () => {
    const hits = await recall("What did Ann say of the boat yesterday?", [
      said(0, "The boat is leaking.", { speaker: "Ann", at: NOW - DAY }),
      said(0, "The lamp is on.", { id: "x", sessionId: "other", speaker: "Ben", at: NOW - 50 * DAY }),
    ]);
    expect(hits[0]?.reasons).toEqual(
      expect.arrayContaining(["matches “ann”, “boat”", "said by Ann", "said on 2026-05-31"]),
    );
    const [pinned] = await recall("PostgreSQL", [remembered("We chose PostgreSQL", { pinned: true })]);
    expect(pinned?.reasons).toEqual(expect.arrayContaining(["matches “postgresql”", "pinned"]));
  });

  it("ranks what the assistant says before an offer that ends in a question", async () => {
    const apart = [{}, { sessionId: "s2" }].map((more) => ({ role: "assistant", ...more }));
    const [told, offered] = [
      said(0, "The importer reads the ledger in batches of fifty rows.", apart[0]),
      said(1, "The importer reads the ledger in batches. Shall I raise the batches to fifty rows?", apart[1]),
    ];
    expect(texts(await recall("How does the importer read the ledger?", [offered, told], { cut: "none" }))[0]).toBe(
      told.text,
    );
  });

  it("scores a hit next to the words below one that contains them", async () => {
    const [asked, beside] = [
      said(0, "The nightly export writes parquet files to the archive bucket."),
      said(1, "That works well for us."),
    ];
    const hits = await recall("Where does the nightly export write parquet files?", [asked, beside], { cut: "none" });
    const score = (text: string) => hits.find(({ turn }) => turn?.text === text)?.score ?? 0;
    expect(score(beside.text)).toBeLessThan(score(asked.text) / 1.2);
  });
});

describe("scores", () => {
  it("of a doubtful first hit and a better second one are their mean", async () => {
    const documents = [
      said(0, "Why does the parser trim empty rows?", { projectId: "p" }),
      said(1, "The exporter pads them.", { role: "assistant", projectId: "p" }),
      ...Array.from({ length: 30 }, (_, at) => said(at + 5, `The garden needs water on day ${at}.`)),
    ];
    const ask = (candidates: number) =>
      recall("Why does the parser trim empty rows?", documents, { cut: "none", projectId: "p", candidates });
    const [alone] = await ask(1);
    const scores = (await ask(10)).map(({ score }) => score);
    expect(alone?.turn?.text).toBe("The exporter pads them.");
    expect(scores[0]).toBeGreaterThan(alone?.score ?? 1);
    expect(scores[0]).toBe(scores[1]);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });
});
