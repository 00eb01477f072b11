import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DAY } from "../../internal/time.ts";
import type { MemoryKind } from "../../ports/memory.ts";
import { packVector } from "./packed-vector.ts";
import { anyQuestion, anySearchables, EMBEDDER, indexOf, memoryOf, NOW, put, turnOf } from "./search.arbitrary.ts";
import { EXHAUSTIVE, type Question, type SearchEffort, searchIndexes } from "./search.ts";
import { packEntry, type Searchable } from "./search-entry.ts";
import { SearchIndex } from "./search-index.ts";

const ids = (index: SearchIndex, question: Partial<Question> & { text: string }, limit = 100): string[] =>
  searchIndexes([index], { now: NOW, ...question }, limit).candidates.map(({ id }) => id);

/** A second implementation of the visibility rules, as a reference. */
function isVisible(searchable: Searchable, question: Question): boolean {
  const { type, kind, at, validFrom = -Infinity, validTo = Infinity, archivedAt, projectId } = searchable;
  const { now, asOf, from = "both", kinds } = question;
  const then = asOf ?? now;
  if (type === "turn" && (from === "memories" || kinds !== undefined)) return false;
  if (
    type === "memory" &&
    (from === "turns" || (kinds !== undefined && !(kind !== undefined && kinds.includes(kind))))
  ) {
    return false;
  }
  if (projectId !== undefined && projectId !== question.projectId) return false;
  if (validFrom > then || validTo <= then) return false;
  if (archivedAt !== undefined && (asOf === undefined || archivedAt <= asOf)) return false;
  return !(asOf !== undefined && type === "turn" && at !== undefined && at > asOf);
}

const anyAsked: fc.Arbitrary<Question> = fc.record(
  {
    text: anyQuestion,
    now: fc.constant(NOW),
    asOf: fc.integer({ min: -20, max: 20 }).map((days) => NOW + days * DAY),
    from: fc.constantFrom<NonNullable<Question["from"]>[]>("both", "memories", "turns"),
    kinds: fc.constantFrom<NonNullable<Question["kinds"]>[]>(["fact"], ["episode", "workflow"]),
    projectId: fc.constantFrom("p1", "p2"),
  },
  { requiredKeys: ["text", "now"] },
);

/** A store of sessions, with rare and frequent words and vectors; and questions about it. */
function largeStore(size: number, asked: number) {
  let state = 7;
  const draw = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
  const direction = (): number[] => Array.from({ length: 24 }, () => draw(200) - 100);
  // Frequent words have low numbers.
  const words = (count: number) => Array.from({ length: count }, () => `common${draw(6)} rare${draw(300)}`).join(" ");
  const index = new SearchIndex();
  for (let at = 0; at < size; at += 1) {
    const session = Math.floor(at / 20);
    const searchable = turnOf(at % 20, words(3), { sessionId: `s${session}`, speaker: draw(2) === 0 ? "Ann" : "Ben" });
    put(index, searchable, direction());
  }
  const questions = Array.from({ length: asked }, (_, at): Question => {
    const vector = Float32Array.from(direction(), (value) => value / 100);
    return { text: `${words(2)}${at % 3 === 0 ? " Ann" : ""}`, now: NOW, vector };
  });
  return { index, questions };
}

describe("searchIndexes", () => {
  it("searches exactly the visible documents", () => {
    fc.assert(
      fc.property(anySearchables, anyAsked, (searchables, question) => {
        const wanted = searchables.filter((each) => isVisible(each, question)).map(({ id }) => id);
        expect(ids(indexOf(searchables), question).sort()).toEqual(wanted.sort());
      }),
    );
  });

  it("prefers a longer text that has the words to a short one next to them", () => {
    const others = Array.from({ length: 30 }, (_, at) => turnOf(at, `the garden needs water on day ${at}`));
    const long = `boat and anchor ${Array.from({ length: 20 }, (_, at) => `word${at}`).join(" ")}`;
    const index = indexOf([
      ...others,
      turnOf(0, long, { sessionId: "long" }),
      turnOf(0, "the boat and the anchor", { sessionId: "short" }),
      turnOf(1, "oh nice one", { sessionId: "short" }),
    ]);
    expect(ids(index, { text: "boat anchor" }, 3)).toEqual(["short-0", "long-0", "short-1"]);
  });

  it("reflects writes and expired validity since the last equal query", () => {
    const [soon, later] = [NOW + DAY, NOW + 2 * DAY];
    const index = indexOf([memoryOf("old boat", { validTo: soon }), memoryOf("new boat", { validFrom: soon })]);
    const at = (now: number) => ids(index, { text: "boat", now }).sort();
    expect([at(NOW), at(soon - 1), at(soon), at(later), at(NOW)]).toEqual([
      ["old boat"],
      ["old boat"],
      ["new boat"],
      ["new boat"],
      ["old boat"],
    ]);
    put(index, memoryOf("third boat", { validFrom: NOW }));
    put(index, memoryOf("boat", { id: "new boat", validFrom: later }));
    expect([at(NOW), at(soon), at(later)]).toEqual([
      ["old boat", "third boat"],
      ["third boat"],
      ["new boat", "third boat"],
    ]);
    expect(ids(index, { text: "boat", now: later, from: "turns" })).toEqual([]);
  });

  it("ranks visible documents independent of invisible ones", () => {
    fc.assert(
      fc.property(anySearchables, anyAsked, (searchables, question) => {
        const alone = searchables.filter((each) => isVisible(each, question));
        expect(ids(indexOf(searchables), question, 3)).toEqual(ids(indexOf(alone), question, 3));
      }),
    );
  });

  it("returns the same order for any order of writes", () => {
    const anyOrder = anySearchables.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }), fc.subarray(list)),
    );
    fc.assert(
      fc.property(anyOrder, anyQuestion, ([list, shuffled, again], text) => {
        expect(ids(indexOf([...shuffled, ...again]), { text })).toEqual(ids(indexOf(list), { text }));
      }),
    );
  });

  it("returns the same results after packing and unpacking", () => {
    fc.assert(
      fc.property(anySearchables, fc.nat({ max: 40 }), anyAsked, (list, packedUpTo, question) => {
        const packed = SearchIndex.unpack(indexOf(list.slice(0, packedUpTo)).pack());
        for (const searchable of [...list.slice(packedUpTo), ...list.slice(0, 3)]) put(packed, searchable);
        expect(ids(packed, question)).toEqual(ids(indexOf(list), question));
      }),
    );
  });

  it("frees replaced entries and finds the newest", () => {
    const index = new SearchIndex();
    for (let round = 0; round < 30; round += 1) {
      for (let at = 0; at < 100; at += 1) put(index, turnOf(at, `round${round} thing${at}`), [1, at, round]);
    }
    expect(index.size).toBe(100);
    expect(index.documents.length).toBeLessThan(1_300);
    expect(ids(index, { text: "thing42 round29" }, 1)).toEqual(["s-42"]);
    expect(searchIndexes([index], { text: "round3", now: NOW }, 1).terms[0]?.documents).toBe(0);
  });

  it("takes at most half as much memory again for one more entry", () => {
    const list = Array.from({ length: 1_000 }, (_, at) => memoryOf(`boat ${at} river ${at % 97}`, { id: `m${at}` }));
    const index = SearchIndex.unpack(indexOf(list).pack());
    const before = index.bytes;
    put(index, memoryOf("garden"));
    expect(index.bytes).toBeLessThan(1.5 * before);
  });

  it("finds an answer by the words of the question before it", () => {
    const index = indexOf([
      turnOf(0, "Where do you go for your vacation?"),
      turnOf(1, "Norway, as always."),
      turnOf(0, "The garden needs water.", { sessionId: "other" }),
    ]);
    expect(ids(index, { text: "vacation" }).slice(0, 2).sort()).toEqual(["s-0", "s-1"]);
  });

  it("ranks a request in a project lower if its reply is visible, and behind the reply", () => {
    const said = (more: Partial<Searchable>): readonly Searchable[] => [
      turnOf(0, "Please move the login to session cookies.", { at: NOW - 2 * DAY, ...more }),
      turnOf(1, "The login uses cookies that expire after an hour.", { role: "assistant", at: NOW, ...more }),
      turnOf(0, "The garden needs water.", { sessionId: "other", at: NOW - 2 * DAY, ...more }),
    ];
    const scoreOf = (searchables: readonly Searchable[], asked: Partial<Question> = {}): number => {
      const question = { text: "move login session cookies", now: NOW, projectId: "p1", ...asked };
      const { candidates } = searchIndexes([indexOf(searchables)], question, 5);
      return candidates.find(({ id }) => id === "s-0")?.score ?? Number.NaN;
    };
    const inProject = said({ projectId: "p1" });
    expect(ids(indexOf(inProject), { text: "move login session cookies", projectId: "p1" })[0]).toBe("s-1");
    expect(scoreOf(inProject)).toBeLessThan(scoreOf(said({})));
    const asOf = NOW - DAY;
    expect(scoreOf(inProject, { asOf })).toBe(scoreOf(said({}), { asOf }));
  });

  it("finds a reply by the words of its request before a turn that only follows them", () => {
    const exchange = (sessionId: string, role: string) => [
      turnOf(0, "How do we ship the vacation calendar?", { sessionId }),
      turnOf(1, "Norway, as always.", { sessionId, role }),
    ];
    const index = indexOf([...exchange("a", "user"), ...exchange("b", "assistant")]);
    const found = ids(index, { text: "vacation calendar" });
    expect(found.indexOf("b-1")).toBeLessThan(found.indexOf("a-1"));
  });

  it("ignores words of later turns for past times", () => {
    const index = indexOf([
      turnOf(0, "Norway, as always.", { at: NOW - 2 * DAY }),
      turnOf(1, "So your vacation is planned.", { at: NOW }),
      turnOf(0, "The garden needs water.", { sessionId: "other", at: NOW - 2 * DAY }),
    ]);
    const { candidates } = searchIndexes([index], { text: "vacation", now: NOW, asOf: NOW - DAY }, 5);
    expect(candidates.map(({ parts }) => parts.cover)).toEqual([0, 0]);
  });

  it("lends the words of a turn to at most four turns on either side, also if copies share its position", () => {
    const copies = Array.from({ length: 60 }, (_, at) =>
      turnOf(5, at === 30 ? "boat" : "garden", { id: `t${10 + at}` }),
    );
    const { candidates } = searchIndexes([indexOf(copies)], { text: "boat", now: NOW }, 60);
    expect(
      candidates
        .filter(({ parts }) => parts.cover > 0)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(Array.from({ length: 9 }, (_, at) => `t${36 + at}`));
  });

  it("finds in a large store what it finds if it scores every document", () => {
    const { index, questions } = largeStore(1_500, 20);
    const effort = { exhaustiveUpTo: 0, candidates: 80, sampled: 600, lateShares: [{ from: 0, share: 0.05 }] };
    const top = (question: Question, limits: SearchEffort) =>
      searchIndexes([index], question, 40, limits)
        .candidates.slice(0, 10)
        .map(({ id }) => id);
    const shared = questions.map((question) => {
      const exact = new Set(top(question, EXHAUSTIVE));
      return top(question, effort).filter((id) => exact.has(id)).length;
    });
    expect(shared.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(0.98 * 10 * questions.length);
  });

  it("finds by meaning in a large store in which many documents have the same vector", () => {
    const index = new SearchIndex();
    for (let at = 0; at < 500; at += 1) {
      put(index, turnOf(0, `word${at}`, { sessionId: `s${at}` }), at % 2 === 0 ? [1, 0] : [0, 1]);
    }
    const question = { text: "nonsense", now: NOW, vector: Float32Array.of(1, 0) };
    const effort = { exhaustiveUpTo: 0, candidates: 20, sampled: 100, lateShares: [] };
    const { candidates } = searchIndexes([index], question, 10, effort);
    expect(candidates.map(({ parts }) => Math.round(parts.cosine))).toEqual(new Array(10).fill(1));
  });

  it("finds by frequent words alone, and fills the limit if nothing matches, in a large store", () => {
    const { index } = largeStore(500, 0);
    const effort = { exhaustiveUpTo: 0, candidates: 20, sampled: 100, lateShares: [{ from: 0, share: 0.05 }] };
    const found = (text: string) => searchIndexes([index], { text, now: NOW }, 5, effort);
    const common = found("common0");
    expect(common.terms[0]?.documents).toBeGreaterThan(50);
    expect(common.candidates.map(({ parts }) => parts.ownCover)).toEqual([1, 1, 1, 1, 1]);
    expect(found("nonsense").candidates).toHaveLength(5);
  });

  it("prefers turns of the person in the query, also by short name", () => {
    const index = indexOf([
      turnOf(0, "I bought a boat", { speaker: "Melanie" }),
      turnOf(0, "I bought a boat", { speaker: "Ben", sessionId: "other" }),
    ]);
    expect(ids(index, { text: "What did Melanie buy?" })[0]).toBe("s-0");
    expect(ids(index, { text: "What did Ben buy?" })[0]).toBe("other-0");
    expect(ids(index, { text: "What did Mel buy?" })[0]).toBe("s-0");
  });

  it("prefers turns of the user for questions in the first person", () => {
    const index = indexOf([
      turnOf(0, "A boat is a fine thing", { role: "assistant" }),
      turnOf(9, "A boat is a fine thing", { role: "user" }),
    ]);
    expect(ids(index, { text: "Did I mention a boat?" })[0]).toBe("s-9");
  });

  it("finds documents by meaning without common words", () => {
    const index = indexOf([memoryOf("kayak"), memoryOf("violin")], { kayak: [1, 0], violin: [0, 1] });
    expect(ids(index, { text: "boat", vector: Float32Array.of(1, 0) })[0]).toBe("kayak");
  });

  it("leaves out vectors of another embedder", () => {
    const index = new SearchIndex();
    const entry = { id: "a", entry: packEntry(memoryOf("kayak")), vector: packVector(Float32Array.of(1, 0)) };
    index.put({ ...entry, embedder: "another" }, EMBEDDER);
    const { candidates } = searchIndexes([index], { text: "boat", now: NOW, vector: Float32Array.of(1, 0) }, 1);
    expect(candidates[0]?.parts.cosine).toBe(0);
  });

  it("favors turns from the time in the query", () => {
    const index = indexOf([
      turnOf(0, "We took the boat", { at: NOW - 40 * DAY }),
      turnOf(0, "We took the boat", { at: NOW - DAY, sessionId: "late" }),
    ]);
    expect(ids(index, { text: "What did we take yesterday?" })[0]).toBe("late-0");
  });

  it("weighs words across all indexes and returns the index of a hit", () => {
    const [first, second] = [indexOf([memoryOf("the boat is blue")]), indexOf([memoryOf("the lamp is blue")])];
    const { candidates, terms } = searchIndexes([first, second], { text: "blue lamp", now: NOW }, 5);
    expect(candidates.map(({ id, index }) => [id, index])[0]).toEqual(["the lamp is blue", 1]);
    expect(terms.map(({ documents }) => documents)).toEqual([2, 1]);
  });

  it("returns nothing for an empty query", () => {
    expect(ids(new SearchIndex(), { text: "boat" })).toEqual([]);
    expect(ids(indexOf([memoryOf("boat")]), { text: "" })).toEqual(["boat"]);
  });
});

describe("a question about past actions", () => {
  it("favors reports over plans, for all memories and turns", () => {
    const index = new SearchIndex();
    const say = (id: string, text: string) =>
      index.put({ id, entry: packEntry({ id, type: "turn", role: "user", text, sessionId: id, position: 0 }) }, "none");
    say("plan", "I want to finish a marathon in Berlin, which shoes are best?");
    say("done", "I've finished a marathon in Berlin, what food is best?");
    const first = (text: string) => searchIndexes([index], { text, now: 1 }, 5).candidates[0]?.id;
    expect(first("Have I ever finished a marathon in Berlin?")).toBe("done");
    expect(first("Which shoes are best for a marathon in Berlin?")).toBe("plan");
  });

  it("does not change results filtered by kind", () => {
    const index = new SearchIndex();
    const entry = packEntry({ id: "m", type: "memory", kind: "workflow", text: "I've never deployed on Fridays" });
    index.put({ id: "m", entry }, "none");
    const found = (kinds: readonly MemoryKind[]) =>
      searchIndexes([index], { text: "deployed", now: 1, kinds }, 5).candidates.length;
    expect([found(["workflow"]), found(["fact"])]).toEqual([1, 0]);
  });
});
