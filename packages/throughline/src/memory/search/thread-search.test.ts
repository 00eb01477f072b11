import { setImmediate } from "node:timers/promises";
import { MessageChannel } from "node:worker_threads";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { packVector } from "./packed-vector.ts";
import { anyQuestion, anySearchables, EMBEDDER, NOW, turnOf } from "./search.arbitrary.ts";
import { type Candidates, type Question, searchIndexes } from "./search.ts";
import { packEntry, type Searchable } from "./search-entry.ts";
import { SearchIndex } from "./search-index.ts";
import { answerSearches, type SearchExecutor, type SearchThread, searchInThreads } from "./thread-search.ts";

/** A thread whose messages pass through a channel, as those to a worker do. */
class ChannelThread implements SearchThread {
  readonly number: number;
  answers = 0;
  readonly #onAsk: (message: unknown) => void;
  readonly #channel = new MessageChannel();
  readonly #answer: (message: unknown) => unknown;
  #last: Promise<unknown> = Promise.resolve();

  constructor(number: number, onAsk: (message: unknown) => void) {
    this.number = number;
    this.#onAsk = onAsk;
    this.#answer = answerSearches(number);
  }

  ask(message: unknown): Promise<unknown> {
    this.#onAsk(message);
    this.#last = this.#last.then(() => this.#pass(message));
    return this.#last;
  }

  close(): void {
    this.#channel.port1.close();
  }

  async #pass(message: unknown): Promise<unknown> {
    const { port1, port2 } = this.#channel;
    const received = new Promise((resolve) => port2.once("message", resolve));
    port1.postMessage(message);
    // A worker answers later, while this thread goes on.
    const result = structuredClone(this.#answer(await received));
    await setImmediate();
    this.answers += 1;
    return result;
  }
}

/** Threads take turns. */
function executorOf(running: readonly SearchThread[]): SearchExecutor {
  let next = 0;
  return {
    threads: running.length,
    minEntries: 0,
    running,
    use: (work) => {
      next += 1;
      return work(running[next % running.length] as SearchThread);
    },
  };
}

interface Entry {
  readonly searchable: Searchable;
  readonly vector: readonly number[] | undefined;
}

const DIMENSIONS = 8;
const direction = fc.array(fc.integer({ min: -127, max: 127 }), { minLength: DIMENSIONS, maxLength: DIMENSIONS });
const anyEntries = anySearchables.chain((searchables) =>
  fc
    .array(fc.option(direction, { nil: undefined }), { minLength: searchables.length, maxLength: searchables.length })
    .map((vectors) => searchables.map((searchable, at): Entry => ({ searchable, vector: vectors[at] }))),
);

/** Entries that are put together, some of which replace earlier ones; then searches. */
const anyRound = fc.record({
  into: fc.constantFrom<(0 | 1)[]>(0, 1),
  entries: anyEntries,
  questions: fc.array(
    fc.record(
      {
        text: anyQuestion,
        vector: direction.map((values) => Float32Array.from(values, (value) => value / 127)),
        from: fc.constantFrom<NonNullable<Question["from"]>[]>("both", "memories", "turns"),
        projectId: fc.constantFrom("p1", "p2"),
      },
      { requiredKeys: ["text"] },
    ),
    { maxLength: 3 },
  ),
});

function put(index: SearchIndex, { searchable, vector }: Entry): void {
  const packed = vector && { embedder: EMBEDDER, vector: packVector(Float32Array.from(vector)) };
  index.put({ id: searchable.id, entry: packEntry(searchable), ...packed }, EMBEDDER);
}

/** Two indexes that threads share, and copies of them in this thread alone. */
class Twins {
  readonly shared = [new SearchIndex(), new SearchIndex()] as const;
  readonly plain = [new SearchIndex(), new SearchIndex()] as const;
  readonly threads = [1, 2].map((number) => new ChannelThread(number, (message) => this.#expect(message)));
  readonly #executor = executorOf(this.threads);
  /** Results of a search in this thread, by the time of the question to the worker. */
  readonly #expected = new Map<number, ReturnType<typeof withStems>>();

  /** Puts entries when no thread reads the index. */
  write(into: 0 | 1, entries: readonly Entry[]): Promise<void> {
    return this.shared[into].lock.change(() => {
      for (const entry of entries) for (const indexes of [this.shared, this.plain]) put(indexes[into], entry);
    });
  }

  async compare(question: Question): Promise<void> {
    const found = await searchInThreads(this.#executor, this.shared, question, 10, withStems);
    expect(found).toEqual(this.#expected.get(question.now));
  }

  #expect(message: unknown): void {
    const { question } = message as { readonly question: Question };
    this.#expected.set(question.now, withStems(searchIndexes(this.plain, question, 10)));
  }

  /** Closes the channels. Returns the number of searches that were answered by threads. */
  close(): number {
    for (const thread of this.threads) thread.close();
    return this.threads.reduce((sum, { answers }) => sum + answers, 0);
  }
}

/** Search results, with the stems of each document and a copy of its vector. */
function withStems({ candidates, ...summary }: Candidates) {
  return {
    ...summary,
    candidates: candidates.map(({ readStems, vector, ...one }) => ({
      ...one,
      stems: readStems(),
      vector: vector?.slice(),
    })),
  };
}

/** Entries with a few frequent and many rare words, in sessions. */
function manyEntries(from: number, count: number): Entry[] {
  return Array.from({ length: count }, (_, i) => {
    const at = from + i;
    const words = `river w${(at * 7) % 500} w${(at * 13) % 97} w${at % 5}`;
    const vector = Array.from({ length: DIMENSIONS }, (_, dimension) => ((at * (dimension + 3) * 31) % 255) - 127);
    return { searchable: turnOf(at % 20, words, { sessionId: `s${Math.floor(at / 20)}` }), vector };
  });
}

describe("searchInThreads", () => {
  it("finds the same as a search in this thread, while entries are put", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRound, { minLength: 1, maxLength: 6 }), async (rounds) => {
        const twins = new Twins();
        let now = NOW;
        // Nothing is waited for: writes and searches of all rounds overlap.
        const running = rounds.flatMap(({ into, entries, questions }) => [
          twins.write(into, entries),
          ...questions.map((question) => {
            now += 1;
            return twins.compare({ ...question, now });
          }),
        ]);
        await Promise.all(running);
        expect(twins.close()).toBe(now - NOW);
      }),
    );
  });

  it("finds the same in an index that outgrows its memory and drops replaced entries", async () => {
    const twins = new Twins();
    const sizes = [1_500, 1_000, 40, 2_500, 2_500];
    let [size, now] = [0, NOW];
    for (const [round, count] of sizes.entries()) {
      // The last two replace entries of the others, most of them twice.
      const from = round < 3 ? size : 0;
      await twins.write(0, manyEntries(from, count));
      await twins.write(1, manyEntries(10 * round, 10));
      size = Math.max(size, from + count);
      for (const text of ["river w7", "w11 w3", "w450"]) {
        now += 1;
        const vector = Float32Array.from({ length: DIMENSIONS }, (_, at) => Math.sin(now + at));
        await Promise.all([twins.compare({ text, vector, now }), twins.compare({ text, now: now + 0.5 })]);
      }
    }
    expect(twins.shared[0].size).toBe(size);
    expect(twins.close()).toBe(2 * 3 * sizes.length);
  });

  it("searches in this thread if the other one fails", async () => {
    const index = new SearchIndex();
    for (const entry of manyEntries(0, 20)) put(index, entry);
    const failing: SearchThread = { number: 1, ask: () => Promise.reject(new Error("gone")) };
    const question = { text: "river w7", now: NOW };
    const found = await searchInThreads(executorOf([failing]), [index], question, 10, withStems);
    expect(found).toEqual(withStems(searchIndexes([index], question, 10)));
    let isChanged = false;
    await index.lock.change(() => {
      isChanged = true;
    });
    expect(isChanged).toBe(true);
  });
});
