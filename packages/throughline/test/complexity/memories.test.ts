import { beforeAll, describe, expect, it } from "vitest";
import { createThroughline, type Memory, type Throughline } from "../../src/index.ts";
import { describeGrowth, FLOOR, measureGrowth } from "./cpu-growth.ts";

/** Memories in the large store; the small one has an eighth of them. */
const MANY = 1_600;
const FEW = MANY / 8;

/** Texts of which each is like all others, and full of short statements. */
const FORMS: Readonly<Record<string, (at: number) => string>> = {
  "short lines": (at) => `${"a\n".repeat(500)}${at}`,
  "a numbered list": (at) => Array.from({ length: 150 }, (_, line) => `${line}. a${at}`).join("\n"),
  opinions: (at) => Array.from({ length: 60 }, (_, line) => `i ${at % 2 ? "like" : "hate"} q${line}`).join("\n"),
};

function memoryOf(text: string, at: number): Memory {
  return {
    id: `m${at}`,
    kind: "fact",
    levels: { full: text, summary: text, compressed: text, index: `${at}` },
    owner: "ada",
    scope: "user-private",
    confidence: 0.8,
    mentions: 1,
    pinned: false,
    byHand: false,
    createdAt: at,
    lastSeenAt: at,
    validFrom: at,
    aliases: [],
    artifacts: [],
    links: [],
    usage: { retrieved: 0, cited: 0, ignored: 0 },
    source: {},
  };
}

async function filled(form: (at: number) => string, count: number): Promise<Throughline> {
  const throughline = await createThroughline({ userId: "ada" });
  const memories = Array.from({ length: count }, (_, at) => memoryOf(form(at), at));
  const content = { exportedAt: 1, memories, turns: [], contradictions: [] };
  await throughline.memory.import({ format: "throughline-memory", version: 1, ...content });
  return throughline;
}

type Use = (throughline: Throughline, text: string) => Promise<unknown>;

/** Each is asked with another text of the form every time. */
const USES: readonly (readonly [string, Use])[] = [
  ["remember", ({ memory }, text) => memory.remember({ text })],
  ["ingest", ({ memory }, text) => memory.ingest({ sessionId: "s", messages: [{ role: "user", text }] })],
  ["import", ({ memory }, text) => memory.import(`- User has ${text.slice(-50)}`)],
  ["recall", ({ memory }, text) => memory.recall(text)],
  ["assemble", ({ context }, text) => context.assemble({ message: text, budget: 4_000 })],
  ["predict", ({ context }, text) => context.predict({ error: text })],
  ["consolidate", ({ memory }) => memory.consolidate({ dryRun: true })],
];

describe.each(Object.entries(FORMS))("beside many memories of %s", (_, form) => {
  const stores = new Map<number, Throughline>();
  let asked = MANY;
  beforeAll(async () => {
    for (const count of [FEW, MANY]) stores.set(count, await filled(form, count));
  });

  it.each(USES)("the cost of %s grows with their number, not faster", async (_name, use) => {
    const work = (count: number) => {
      const throughline = stores.get(count);
      if (throughline === undefined) throw new Error(`no store with ${count} memories`);
      asked += 1;
      return use(throughline, form(asked));
    };
    const growth = await measureGrowth(work, { first: MANY, max: MANY, enough: FLOOR });
    expect(growth?.isTooSteep && describeGrowth(growth)).toBeFalsy();
  });
});

describe("ingest of many messages full of values", () => {
  const message = (at: number) => ({
    role: "user" as const,
    text: Array.from({ length: 14 }, (_, line) => `The service ${at + line} uses port ${8_000 + at + line}.`).join(
      "\n",
    ),
  });

  it("costs as much as their number, not more", async () => {
    const work = async (count: number) => {
      const { memory, close } = await createThroughline({ userId: "ada" });
      await memory.ingest({ sessionId: "s", messages: Array.from({ length: count }, (_, at) => message(at)) });
      await close();
    };
    const growth = await measureGrowth(work, { first: 32, max: 32, enough: FLOOR });
    expect(growth?.isTooSteep && describeGrowth(growth)).toBeFalsy();
  });
});
