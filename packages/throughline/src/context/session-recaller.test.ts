import { describe, expect, it } from "vitest";
import { InvalidOptionError } from "../errors/input-errors.ts";
import { countTokens } from "../tokens/count-tokens.ts";
import { openContext, openProject } from "./open-context.fixture.ts";

const said = (content: string) => [{ role: "user" as const, content }];
const signals = { currentFile: "src/auth/login.ts", activity: "debugging" };

describe("a turn with signals", () => {
  it("has the assembled context in its system prompt, with its tokens and a reason per memory", async () => {
    const { throughline, context } = await openProject();
    const session = throughline.session("s1");
    await session.append(said("Why does login fail?"));
    const turn = await session.prepare({ system: "Be careful.", memory: true, signals });
    const { context: text, receipt } = await context.assemble({
      signals: { ...signals, sessionId: "s1" },
      message: "Why does login fail?",
    });
    expect(turn.system).toBe(`Be careful.\n\n${text}`);
    const item = turn.receipt.items.find(({ rule }) => rule === "memory");
    expect(item?.tokens).toBe(countTokens(turn.system) - countTokens("Be careful."));
    expect(item?.sources).toEqual(receipt.items.map(({ id }) => id).filter((id) => !id.startsWith("topic:")));
    const [first] = receipt.items;
    expect(item?.reasons?.[first?.id ?? ""]).toContain(first?.rule);
    expect(turn.receipt.items.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(turn.tokens.final);
  });

  it("needs no user message", async () => {
    const { throughline } = await openProject();
    const turn = await throughline.session("s1").prepare({ memory: true, signals, message: "" });
    expect(turn.system).toContain("## Errors");
  });

  it("gives memories a tenth of the budget, or the requested share up to half", async () => {
    const { throughline } = await openProject();
    const session = throughline.session("s1");
    await session.append(said("Why does login fail?"));
    const tokens = async (options: object) =>
      countTokens((await session.prepare({ memory: true, signals, ...options })).system);
    expect(await tokens({ budget: 2_000 })).toBeLessThanOrEqual(200);
    expect(await tokens({ budget: 2_000, memoryBudget: 600 })).toBeGreaterThan(400);
    expect(await tokens({ budget: 2_000, memoryBudget: 600 })).toBeLessThanOrEqual(600);
    expect(await tokens({ budget: 1_000, memoryBudget: 9_000 })).toBeLessThanOrEqual(500);
    expect(await tokens({ memoryBudget: 0 })).toBe(0);
    await expect(session.prepare({ memory: true, memoryBudget: -1 })).rejects.toThrow(InvalidOptionError);
  });

  it("omits memories whose text is in the window", async () => {
    const { throughline, memory } = await openContext();
    const session = throughline.session("s1");
    await session.append(said("We decided to keep src/auth/login.ts small."));
    const [message] = await session.history();
    const source = { sessionId: "s1", messageId: message?.id ?? "" };
    await memory.remember({ text: "The team decided to keep src/auth/login.ts small.", source });
    await memory.remember({ text: "The team decided to log every login in src/auth/login.ts." });
    const { system } = await session.prepare({ memory: true, signals });
    expect(system).toContain("log every login");
    expect(system).not.toContain("keep src/auth/login.ts small");
  });

  it("has no context if memories are not requested", async () => {
    const { throughline } = await openProject();
    const session = throughline.session("s1");
    await session.append(said("Why does login fail?"));
    expect((await session.prepare({ system: "Be careful.", signals })).system).toBe("Be careful.");
  });

  it("is prepared without memories for invalid signals, and reports it", async () => {
    const { throughline } = await openProject();
    const session = throughline.session("s1");
    await session.append(said("Why does login fail?"));
    const turn = await session.prepare({ memory: true, signals: { currentFile: 7 } as never });
    expect(turn.system).toBe("");
    expect(turn.receipt.notes.join()).toContain("currentFile");
  });
});
