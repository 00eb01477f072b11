import { describe, expect, it } from "vitest";
import { NotFoundError } from "./errors/not-found-error.ts";
import { postgresStore } from "./store/postgres/postgres.ts";
import { sqliteStore } from "./store/sqlite/sqlite.ts";
import { createThroughline } from "./throughline.ts";

/** The error message of a call with options that TypeScript would refuse. */
async function refusal(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  return "accepted";
}

const anything = (value: unknown) => value as never;

describe("options", () => {
  it("of every entry point are refused if their name is unknown, with the known names", async () => {
    const tl = await createThroughline();
    const session = tl.session("s");
    const calls: [string, () => unknown][] = [
      ["createThroughline", () => createThroughline(anything({ storee: 1 }))],
      ["session", () => tl.session("t", anything({ keepToken: 1 }))],
      ["session (config)", () => tl.session("t", { config: anything({ tail: 1 }) })],
      ["session.prepare", () => session.prepare(anything({ budgets: 1 }))],
      ["session.compact", () => session.compact(anything({ keep: 1 }))],
      ["memory.remember", () => tl.memory.remember(anything({ text: "We use Go.", tag: "x" }))],
      ["memory.ingest", () => tl.memory.ingest(anything({ sessionId: "s", messages: [], from: 1 }))],
      ["memory.recall", () => tl.memory.recall("Go", anything({ top: 3 }))],
      ["memory.update", () => tl.memory.update("m", anything({ content: "x" }))],
      ["memory.consolidate", () => tl.memory.consolidate(anything({ dry: true }))],
      ["context.assemble", () => tl.context.assemble(anything({ tokens: 1 }))],
      ["context.predict", () => tl.context.predict(anything({ file: "a.ts" }))],
      ["sqliteStore", () => sqliteStore(":memory:", anything({ wal: true }))],
      ["postgresStore", () => postgresStore("postgres://localhost/x", anything({ pool: 1 }))],
    ];
    for (const [place, call] of calls) {
      expect(await refusal(call)).toMatch(
        new RegExp(`^Invalid option of ${place.replace(/[().]/g, "\\$&")}: "\\w+"\\. Expected one of `),
      );
    }
  });

  it.each([
    [{ contextLimit: "8000" }, 'Invalid contextLimit of session: "8000". Expected a number above 0.'],
    [{ keepTokens: -1 }, "Invalid keepTokens of session: -1. Expected a number, 0 or more."],
    [{ keepShare: 30 }, "Invalid keepShare of session: 30. Expected a number from 0 to 1."],
    [
      { keepTokens: 2_000, keepShare: 0.3 },
      "Invalid keepTokens and keepShare of session: 2000 and 0.3. Expected only one of the two.",
    ],
    [
      { profile: "poetry" },
      'Invalid profile: "poetry". Expected one of coding, content, chat, or a profile with sections.',
    ],
    [{ maxSummaryCalls: -1 }, "Invalid maxSummaryCalls of session: -1. Expected a number, 0 or more."],
    [{ remember: "yes" }, 'Invalid remember of session: "yes". Expected true or false.'],
    [7, "Invalid options of session: 7. Expected an object."],
  ])("of a session are refused if their type is wrong: %j", async (options, message) => {
    const tl = await createThroughline();
    expect(await refusal(() => tl.session("s", anything(options)))).toBe(message);
  });

  it("that are undefined count as not given", async () => {
    const tl = await createThroughline(anything({ store: undefined, userId: undefined }));
    expect(tl.session("s", anything({ keepTokens: undefined })).id).toBe("s");
  });
});

describe("keepTokens of a session", () => {
  const long = Array.from({ length: 60 }, (_, at) => [
    { role: "user" as const, content: `Step ${at}: look at file number ${at} and report what it holds.` },
    { role: "assistant" as const, content: `File ${at} holds ${"some words about the module ".repeat(20)}.` },
  ]).flat();

  it("sets the size of the verbatim tail of every compaction", async () => {
    const sizes = await Promise.all(
      [200, 2_000].map(async (keepTokens) => {
        const session = (await createThroughline()).session("s", { contextLimit: 9_000, keepTokens });
        await session.append(long);
        const { messages, wasCompacted } = await session.prepare({ budget: 6_000 });
        expect(wasCompacted).toBe(true);
        return messages.length;
      }),
    );
    expect(sizes[0]).toBeLessThan(sizes[1] ?? 0);
  });
});

describe("replaces", () => {
  it("ends the named memories when the new one begins, and can be undone", async () => {
    const { memory } = await createThroughline();
    const { memory: old } = await memory.remember({ text: "The release manager is Ada." });
    const { memory: next, outcome } = await memory.remember({ text: "Ben prepares releases.", replaces: old.id });
    expect(outcome).toBe("replaced");
    expect(await memory.get(old.id)).toMatchObject({ supersededBy: next.id, validTo: next.validFrom });
    expect(next.supersedes).toBe(old.id);
    const [entry] = await memory.journal({ limit: 1 });
    await memory.undo(entry?.id ?? "");
    expect((await memory.get(old.id))?.validTo).toBeUndefined();
  });

  it("saves nothing if one of the memories is unknown", async () => {
    const { memory } = await createThroughline();
    const input = { text: "Ben prepares releases.", replaces: ["mem_unknown"] };
    await expect(memory.remember(input)).rejects.toThrow(NotFoundError);
    expect(await memory.list()).toEqual([]);
  });
});
