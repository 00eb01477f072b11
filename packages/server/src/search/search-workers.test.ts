import { createThroughline, type Throughline } from "throughline";
import type { SearchExecutor } from "throughline/internal/engine";
import { sqliteStore } from "throughline/sqlite";
import { afterEach, describe, expect, it } from "vitest";
import { SearchWorkers } from "./search-workers.ts";

const TOPICS = ["parser", "deployment", "invoices", "login", "search", "backup", "editor"];
const TOOLS = ["Redis", "Terraform", "Vite", "pnpm", "Grafana", "Kafka"];

function textOf(at: number): string {
  return `The ${TOPICS[at % TOPICS.length]} of service ${at} uses ${TOOLS[at % TOOLS.length]} since version ${at % 9}.`;
}

const questions = TOPICS.flatMap((topic) => TOOLS.slice(0, 3).map((tool) => `Which ${topic} uses ${tool}?`));

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** Memories in one store, searched by workers and in this thread. */
async function openBoth(threads = 2) {
  const store = sqliteStore(":memory:");
  const warnings: string[] = [];
  const logger = { info: () => undefined, warn: (text: string) => void warnings.push(text) };
  const workers = new SearchWorkers({ threads, logger, minEntries: 0 });
  ends.push(
    () => store.close(),
    () => workers.close(),
  );
  let answered = 0;
  const searchExecutor: SearchExecutor = {
    threads,
    minEntries: 0,
    running: [],
    async use(work) {
      const result = await workers.use(work);
      answered += 1;
      return result;
    },
  };
  const inWorkers = await createThroughline({ store, searchExecutor });
  const here = await createThroughline({ store });
  return { workers, inWorkers, here, warnings, answered: () => answered };
}

async function fill({ memory }: Throughline, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += 1) await memory.remember({ text: textOf(at) });
}

/** Results per question. The searches do not count as use, so repeating them gives the same results. */
function findAll({ memory }: Throughline): Promise<unknown> {
  return Promise.all(questions.map(async (question) => (await memory.findRelevant(question, { limit: 5 })).hits));
}

describe("SearchWorkers", () => {
  it("find what this thread finds, before and after writes", async () => {
    const { inWorkers, here, workers, warnings, answered } = await openBoth();
    await fill(here, 0, 40);
    expect(await findAll(inWorkers)).toEqual(await findAll(here));
    expect(workers.running).toHaveLength(2);
    await fill(here, 40, 60);
    expect(await findAll(inWorkers)).toEqual(await findAll(here));
    expect(answered()).toBe(2 * questions.length);
    expect(warnings).toEqual([]);
  });

  it("find current memories while others are saved", async () => {
    const { inWorkers, here, warnings, answered } = await openBoth();
    await fill(here, 0, 20);
    const writing = fill(here, 20, 50);
    const searching = Promise.all(Array.from({ length: 6 }, () => findAll(inWorkers)));
    await writing;
    await searching;
    expect(await findAll(inWorkers)).toEqual(await findAll(here));
    const [hit] = (await inWorkers.memory.findRelevant("Which service is 49?", { limit: 1 })).hits;
    expect(hit?.text).toBe(textOf(49));
    expect(answered()).toBe(7 * questions.length + 1);
    expect(warnings).toEqual([]);
  });

  it("end if a message cannot be sent to them", async () => {
    const { workers, warnings } = await openBoth(1);
    await expect(workers.use((thread) => thread.ask(() => undefined))).rejects.toThrow("could not be cloned");
    expect(warnings).toHaveLength(1);
    expect(workers.running).toEqual([]);
  });

  it("are replaced if they fail, with one warning, and their searches are not lost", async () => {
    const { workers, inWorkers, here, warnings } = await openBoth(1);
    await fill(here, 0, 20);
    const expected = await findAll(here);
    const failing = workers.use((thread) => thread.ask("not a search"));
    const found = findAll(inWorkers);
    await expect(failing).rejects.toThrow();
    expect(await found).toEqual(expected);
    expect(warnings).toEqual([expect.stringMatching(/^A search worker ended: .+\. Another one is started\.$/)]);
    expect(await findAll(inWorkers)).toEqual(expected);
    expect(workers.running).toHaveLength(1);
    expect(warnings).toHaveLength(1);
  });

  it("are given up after three failures without an answer", async () => {
    const { workers, inWorkers, here, warnings } = await openBoth(1);
    await fill(here, 0, 20);
    for (let times = 0; times < 3; times += 1) {
      await expect(workers.use((thread) => thread.ask("not a search"))).rejects.toThrow();
    }
    expect(warnings.at(-1)).toMatch(/All searches run in the main thread from now on\.$/);
    expect(await findAll(inWorkers)).toEqual(await findAll(here));
    expect(workers.running).toEqual([]);
    expect(warnings).toHaveLength(3);
  });

  it("end when they are closed, and later searches run in this thread", async () => {
    const { workers, inWorkers, here, warnings } = await openBoth();
    await fill(here, 0, 20);
    const found = findAll(inWorkers);
    await workers.close();
    const expected = await findAll(here);
    expect(await found).toEqual(expected);
    expect(await findAll(inWorkers)).toEqual(expected);
    expect(workers.running).toEqual([]);
    expect(warnings).toEqual([]);
  });
});
