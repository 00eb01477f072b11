import { describe, expect, it } from "vitest";
import { optionParameters } from "../../../tools/docs/public-options.mjs";
import { library } from "../../../tools/package/entry-points.mjs";
import * as aiSdk from "./ai-sdk/ai-sdk.ts";
import { NotFoundError } from "./errors/store-errors.ts";
import * as compaction from "./exports/compact.ts";
import * as root from "./index.ts";
import { optionRows } from "./options.fixture.ts";
import { inProcessStore } from "./store/in-process.ts";
import { sqliteStore } from "./store/sqlite/sqlite-store.ts";
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

const MODEL_WANTED =
  'a model of the AI SDK, such as openai("gpt-4o"), its id, such as "openai/gpt-4o", or an object with `generate`';
const anything = (value: unknown) => value as never;

describe("options", () => {
  it("have a row for each parameter of each public function", async () => {
    const rows = await optionRows();
    const listed = new Set(rows.map(([parameter]) => parameter));
    expect([...listed].toSorted()).toEqual([...new Set(optionParameters(library))].toSorted());
  });

  it("of all entry points are refused if their name is unknown, with the known names", async () => {
    for (const [, place, call] of await optionRows()) {
      expect([place, await refusal(() => call(anything({ nope: 1 })))]).toEqual([
        place,
        expect.stringContaining(`Invalid option of ${place}: "nope". Expected one of `),
      ]);
    }
  });

  it("of all entry points are refused if they are no object", async () => {
    for (const [, place, call] of await optionRows()) {
      expect([place, await refusal(() => call(anything(7)))]).toEqual([
        place,
        expect.stringMatching(/^Invalid (options|config|signals) of .+: 7\. Expected an object\.$/),
      ]);
    }
  });

  it.each<[string, () => unknown, string]>([
    [
      "the size of a summary",
      () => compaction.compact([], "s", undefined, anything({ targetTokens: "many" })),
      'Invalid targetTokens of compact: "many". Expected a number above 0.',
    ],
    [
      "the profile of compact",
      () => compaction.compact([], "s", undefined, anything({ profile: "nope" })),
      'Invalid profile: "nope". Expected one of coding, content, chat, or a profile with sections.',
    ],
    [
      "the profile of a service",
      () => new compaction.CompactionService(anything({ profile: "nope" })),
      'Invalid profile: "nope". Expected one of coding, content, chat, or a profile with sections.',
    ],
    [
      "the profile of a manager",
      () => new compaction.ContextManager(anything({ profile: {} })),
      "Invalid profile: {}. Expected one of coding, content, chat, or a profile with sections.",
    ],
    [
      "the model of a manager",
      () => new compaction.ContextManager(anything({ model: {} })),
      `Invalid model of ContextManager: a value of type object. Expected ${MODEL_WANTED}.`,
    ],
    [
      "the provider of a model in place of a model",
      () => createThroughline({ model: anything(() => "source code") }),
      `Invalid model: a value of type function. Expected ${MODEL_WANTED}.`,
    ],
    [
      "the module of a provider in place of a model",
      () => createThroughline({ model: anything(aiSdk) }),
      `Invalid model: a value of type object. Expected ${MODEL_WANTED}.`,
    ],
    [
      "a date that is none",
      async () => (await createThroughline()).memory.remember({ text: "I like tea.", validFrom: new Date("soon") }),
      "Invalid validFrom: an invalid date. Expected milliseconds since 1970, or a date.",
    ],
    [
      "the logger of safeCompact",
      () => compaction.safeCompact([], "s", undefined, anything({ logger: {} })),
      "Invalid logger of safeCompact: a value of type object. Expected an object with info() and warn().",
    ],
    [
      "the status of contradictions",
      async () => (await createThroughline()).memory.contradictions(anything({ status: "opn" })),
      'Invalid status of memory.contradictions: "opn". Expected "open", "resolved".',
    ],
    [
      "the kinds of a list",
      async () => (await createThroughline()).memory.list(anything({ kinds: ["dream"] })),
      "Invalid kinds of memory.list: a list. Expected a list of fact, episode, pattern, workflow.",
    ],
    [
      "the budget of a middleware",
      async () => aiSdk.middleware((await createThroughline()).session("s"), { budget: 0 }),
      "Invalid budget of middleware: 0. Expected a number above 0.",
    ],
    [
      "an API key, which is not repeated",
      () => root.openAiCompatibleModel(anything({ baseUrl: "http://127.0.0.1/v1", apiKey: 12345 })),
      "Invalid apiKey: (hidden). Expected visible ASCII characters without spaces.",
    ],
  ])("are refused if their value is wrong: %s", async (_, call, message) => {
    expect(await refusal(call)).toBe(message);
  });

  it("of compaction functions accept the name of a profile, and all settings of the configuration", async () => {
    const config = compaction.DEFAULT_COMPACTION_CONFIG;
    expect(await refusal(() => compaction.compact([], "s", undefined, { ...config, profile: "chat" }))).toBe(
      "accepted",
    );
    expect(await refusal(() => new compaction.ContextManager({ ...config, profile: "content" }))).toBe("accepted");
    expect(await refusal(() => new compaction.CompactionService({ profile: "chat" }).compact([], config))).toBe(
      "accepted",
    );
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

  it.each([
    [{ contextLimits: 8_000 }, " (did you mean contextLimit?)."],
    [{ context_limit: 8_000 }, " (did you mean contextLimit?)."],
    [{ keeptokens: 8_000 }, " (did you mean keepTokens?)."],
    [{ model: "gpt-4o" }, " (did you mean modelId?)."],
    [{ temperature: 1 }, ", workingContext."],
  ])("with a misspelled name are refused with the name that was meant: %j", async (options, end) => {
    const tl = await createThroughline();
    expect((await refusal(() => tl.session("s", anything(options)))).endsWith(end)).toBe(true);
  });

  it.each([
    [undefined, "undefined"],
    ["", '""'],
    [7, "7"],
    [null, "null"],
  ])("of a session need an id that is a string and not empty, in each store: %j", async (id, shown) => {
    for (const store of [inProcessStore(), sqliteStore(":memory:")]) {
      const tl = await createThroughline({ store });
      expect(await refusal(() => tl.session(anything(id)))).toBe(
        `Invalid id of session: ${shown}. Expected a string that is not empty.`,
      );
    }
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
