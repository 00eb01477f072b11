import { describe, expect, it } from "vitest";
import { IrreducibleContextError } from "../errors/session-errors.ts";
import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";
import { createThroughline } from "../throughline.ts";
import { clock, session, steps, task } from "./long-session.fixture.ts";

/** Pictures that take many bytes and few tokens. */
const pictures = (count: number): ModelMessage[] =>
  Array.from({ length: count }, (): ModelMessage[] => [
    {
      role: "user",
      content: [
        { type: "text", text: "look" },
        { type: "image", image: "A".repeat(50_000), mediaType: "image/png" },
      ],
    },
    { role: "assistant", content: "I see" },
  ]).flat();

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;

describe("the limits of a session", () => {
  it("include the bytes of the system prompt, and cause a compaction before trimming", async () => {
    const open = await session([{ role: "user", content: task }, ...pictures(10)]);
    const system = "Be careful. ".repeat(1_000);
    const turn = await open.prepare({ system, maxBytes: 250_000 });
    expect(bytesOf(turn.messages) + bytesOf(system)).toBeLessThanOrEqual(250_000);
    expect(turn.wasCompacted).toBe(true);
    expect(turn.receipt.nearMisses.some(({ reason }) => reason === "trimmed")).toBe(false);
  });

  it("can be set once for all turns", async () => {
    const throughline = await createThroughline({ clock });
    const open = throughline.session("s", { config: { maxBytes: 150_000 } });
    await open.append([{ role: "user", content: task }, ...pictures(6)]);
    expect(bytesOf((await open.prepare()).messages)).toBeLessThanOrEqual(150_000);
  });

  it("leave a receipt with the reason why a window cannot fit", async () => {
    const open = await session();
    await expect(open.prepare({ system: "word ".repeat(900), budget: 500 })).rejects.toThrow(IrreducibleContextError);
    const [receipt] = await open.receipts();
    expect(receipt).toMatchObject({ budget: 500, items: [], notes: [expect.stringContaining("the system prompt")] });
  });

  it("are those of the options given last", async () => {
    const throughline = await createThroughline({ clock });
    const first = throughline.session("s", { modelId: "gpt-4o", contextLimit: 200_000 });
    await first.append([{ role: "user", content: task }, ...steps(100, 2_000)]);
    expect(throughline.session("s")).toBe(first);
    const small = throughline.session("s", { modelId: "gpt-4o", contextLimit: 16_000 });
    expect((await small.prepare()).tokens.final).toBeLessThan(12_000);
  });

  it("keep the requested number of messages at the end", async () => {
    const throughline = await createThroughline({ clock });
    const open = throughline.session("s", { config: { recentMessagesToKeep: 6 } });
    await open.append([{ role: "user", content: task }, ...steps(40)]);
    await open.compact();
    // The task, the summary, a request to continue, and the six messages.
    expect((await open.prepare()).messages).toHaveLength(9);
  });
});

describe("trimmed messages", () => {
  it("have a handle in the window and in the receipt that recalls them", async () => {
    const talk = Array.from({ length: 12 }, (_, i): ModelMessage[] => [
      { role: "user", content: `Question ${i}: ${"why ".repeat(60)}` },
      { role: "assistant", content: `Answer ${i}: ${"so ".repeat(60)}` },
    ]).flat();
    const open = await session([{ role: "user", content: task }, ...talk]);
    await open.compact({ keepTokens: 100_000 });
    const { messages, receipt } = await open.prepare({ budget: 500 });
    for (const handle of receipt.handles) expect(JSON.stringify(messages)).toContain(handle);
    const named = receipt.handles.length > 0 ? receipt.handles : ["compaction-1"];
    for (const handle of named) expect((await open.recall(handle)).messages.length).toBeGreaterThan(0);
  });
});
