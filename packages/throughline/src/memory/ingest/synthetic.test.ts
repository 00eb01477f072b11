import { describe, expect, it } from "vitest";
import { openMemory, textsOf } from "../open-memory.fixture.ts";

const SPACE = "user:local";
const RECALLED = "The office cat is called Marmalade.";

async function withRecalled(synthetic: true | readonly { start: number; end: number }[] = true) {
  const open = await openMemory();
  await open.memory.ingest({
    sessionId: "s",
    messages: [
      { id: "a", role: "user", text: "What is the office cat called?" },
      { id: "b", role: "user", name: "Marmalade", text: RECALLED, synthetic },
      { id: "c", role: "user", text: "Thanks." },
    ],
  });
  return open;
}

const ask = (memory: Parameters<typeof textsOf>[0], asOf?: string) =>
  textsOf(memory, "office cat Marmalade", { limit: 50, ...(asOf && { asOf }) });

describe("synthetic text", () => {
  it.each([
    ["all of it", true as const],
    [
      "spans that leave nothing",
      [
        { start: 0, end: 20 },
        { start: 20, end: 99 },
      ],
    ],
  ])("is kept as a turn and never recalled: %s", async (_what, synthetic) => {
    const { memory, store } = await withRecalled(synthetic);
    expect(await store.memories.get(SPACE, "turns", ["b"])).toMatchObject([{ text: RECALLED, synthetic: true }]);
    for (const asOf of [undefined, "2100-01-01"]) expect((await ask(memory, asOf)).join()).not.toContain("Marmalade");
  });

  it("is searchable by its own words if only a part is synthetic", async () => {
    const { memory } = await withRecalled([{ start: 0, end: 10 }]);
    expect(await ask(memory)).toContain(RECALLED);
  });

  it("stays out of recall after re-embedding and import", async () => {
    const { memory } = await withRecalled();
    await memory.reembed();
    expect((await ask(memory)).join()).not.toContain("Marmalade");
    const exported = await memory.export();
    expect(exported.turns).toHaveLength(3);
    const elsewhere = await openMemory();
    await elsewhere.memory.import(JSON.stringify(exported));
    expect((await elsewhere.memory.export()).turns).toHaveLength(3);
    expect((await ask(elsewhere.memory)).join()).not.toContain("Marmalade");
  });
});

it("tool output and announcements of the assistant are stored as turns and never recalled", async () => {
  const { memory, store } = await openMemory();
  const messages = [
    { id: "a", role: "assistant", text: "Let me read the zebra config." },
    { id: "b", role: "tool", text: "zebra: stripes are enabled in this config" },
    { id: "c", role: "assistant", text: "The zebra config enables stripes for all tables." },
  ];
  await memory.ingest({ sessionId: "s", messages });
  expect(await store.memories.list(SPACE, "turns", { sessionId: "s" })).toHaveLength(3);
  const hits = await memory.recall("zebra config", { cut: "none", from: "turns" });
  expect(hits.map(({ id }) => id)).toEqual(["c"]);
});
