import { describe, expect, it } from "vitest";
import { InvalidOptionError } from "../errors/input-errors.ts";
import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";
import { inProcessStore } from "../store/in-process.ts";
import { createThroughline } from "../throughline.ts";
import { clock, session, steps, task } from "./long-session.fixture.ts";

describe("a session at its edges", () => {
  it("keeps the user's last message verbatim, however long the turn after it", async () => {
    const said = "Now delete only staging, NEVER production.";
    const open = await session([
      { role: "user", content: task },
      ...steps(10),
      { role: "user", content: said },
      ...steps(60).slice(20),
    ]);
    const turn = await open.prepare({ budget: 4_000 });
    expect(turn.wasCompacted).toBe(true);
    expect(
      turn.messages.some((message) => message.role === "user" && JSON.stringify(message.content).includes(said)),
    ).toBe(true);
  });

  it("cuts a huge output before it drops earlier messages", async () => {
    const talk: ModelMessage[] = ["one", "two", "three"].flatMap((rule): ModelMessage[] => [
      { role: "user", content: `Never break rule ${rule}.` },
      { role: "assistant", content: "Understood." },
    ]);
    const [call, result] = steps(1, 40_000);
    if (call === undefined || result === undefined) throw new Error("no step");
    const turn = await (await session([...talk, { role: "user", content: "Run it." }, call, result])).prepare({
      budget: 6_000,
    });
    const text = JSON.stringify(turn.messages);
    for (const rule of ["one", "two", "three"]) expect(text).toContain(`Never break rule ${rule}.`);
    expect(text).toContain("Run it.");
  });

  it("does not mask an output that the model has not seen", async () => {
    const open = await session([{ role: "user", content: task }, ...steps(2, 12_000)]);
    const turn = await open.prepare({ budget: 14_000 });
    expect(turn.wasPruned).toBe(true);
    expect(JSON.stringify(turn.messages.at(-1))).not.toContain("masked");
  });

  it("keeps system messages of the history", async () => {
    const open = await session([
      { role: "system", content: "Always answer in French." },
      { role: "user", content: task },
      ...steps(40),
    ]);
    const turn = await open.prepare({ budget: 2_500 });
    expect(turn.messages[0]).toEqual({ role: "system", content: "Always answer in French." });
    expect(turn.messages[1]).toEqual({ role: "user", content: task });
  });

  it("gives every message and part a unique id", async () => {
    const throughline = await createThroughline({ clock });
    const open = throughline.session("s");
    const part = (text: string) => [{ id: "0", type: "text" as const, text }];
    const base = { sessionId: "s", createdAt: 1, role: "user" as const };
    await open.append([
      { ...base, id: "x", parts: part("first") },
      { ...base, id: "x", parts: part("second") },
    ]);
    await open.append([
      { ...base, id: "s/m2", parts: part("third") },
      { role: "user", content: "fourth" },
    ]);
    const history = await open.history();
    expect(new Set(history.map((message) => message.id)).size).toBe(4);
    expect(new Set(history.flatMap((message) => message.parts.map(({ id }) => id))).size).toBe(4);
    expect(JSON.stringify((await open.prepare()).messages)).toMatch(/first.*second.*third.*fourth/);
  });

  it("sees messages that another object over the same store appended", async () => {
    const store = inProcessStore();
    const [one, two] = await Promise.all([createThroughline({ store, clock }), createThroughline({ store, clock })]);
    await one.session("s").append([{ role: "user", content: "one" }]);
    await two.session("s").append([{ role: "user", content: "two" }]);
    await one.session("s").append([{ role: "user", content: "three" }]);
    expect(JSON.stringify((await two.session("s").prepare()).messages)).toMatch(/one.*two.*three/);
  });

  it("has a receipt that adds up for models that are counted with a margin, too", async () => {
    const throughline = await createThroughline({ clock });
    const open = throughline.session("s", { modelId: "claude-sonnet-4-5" });
    await open.append([{ role: "user", content: task }, ...steps(5)]);
    const { receipt, tokens } = await open.prepare({ system: "You code." });
    expect(receipt.items.reduce((sum, item) => sum + item.tokens, 0)).toBe(tokens.final);
  });

  it("recalls the handles in a summary, and a summary that was cut", async () => {
    const open = await session();
    const event = await open.compact({ keepTokens: 0 });
    expect(event?.summary).toContain("Recall it as compaction-1.");
    expect((await open.recall("compaction-1")).messages.length).toBeGreaterThan(70);
    expect((await open.recall(`part:${event?.id}/summary.0`)).messages[0]?.isSummary).toBe(true);
  });

  it("asks the model only for a compaction that will run, and stores no aborted one", async () => {
    let asked = 0;
    const generate = async () => {
      asked += 1;
      return { text: "" };
    };
    const throughline = await createThroughline({ clock, model: { modelId: "m", generate } });
    const open = throughline.session("s");
    await open.append([{ role: "user", content: "word ".repeat(3_000) }]);
    for (let i = 0; i < 3; i += 1) await open.prepare({ budget: 1_000 });
    expect(asked).toBe(0);
    await open.append([...steps(20), { role: "user", content: "go" }]);
    await expect(open.compact({ keepTokens: 100, signal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow(
      "stop",
    );
    expect(await open.compactions()).toEqual([]);
  });

  it.each([Number.NaN, 0, -5])("refuses a budget of %s", async (budget) => {
    await expect((await session()).prepare({ budget })).rejects.toThrow(InvalidOptionError);
  });
});
