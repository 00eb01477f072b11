import { describe, expect, it } from "vitest";
import { InvalidOptionError } from "../errors/input-errors.ts";
import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";
import { completeMessage } from "../message/message.ts";
import type { Model } from "../ports/model.ts";
import type { Store } from "../ports/store.ts";
import { inProcessStore } from "../store/in-process.ts";
import { createThroughline } from "../throughline.ts";
import { countTokens } from "../tokens/count-tokens.ts";
import { clock, session, steps, task } from "./long-session.fixture.ts";

const talk = (count: number, size = 100): ModelMessage[] =>
  Array.from({ length: count }, (_, i) => ({
    role: i % 2 === 0 ? "user" : "assistant",
    content: `${i} ${"zu ".repeat(size)}`,
  }));

/** The store with other methods for its sessions. */
function changed(store: Store, change: (sessions: Store["sessions"]) => Partial<Store["sessions"]>): Store {
  return { ...store, sessions: { ...store.sessions, ...change(store.sessions) } };
}

describe("a compaction in a session", () => {
  it("leaves out prose that would take most of the saving", async () => {
    const sections = ["Original Task", "Completed Work", "Current State"];
    const text = sections.map((title) => `### ${title}\n${"alpha beta ".repeat(45)}`).join("\n");
    const model: Model = { modelId: "gpt-4o", generate: async () => ({ text }) };
    const open = (await createThroughline({ clock, model })).session("s", { modelId: "gpt-4o" });
    await open.append([
      { role: "user", content: "hi" },
      { role: "assistant", content: "zu ".repeat(320) },
      { role: "user", content: "ok" },
    ]);
    const event = await open.compact({ keepTokens: 0, targetTokens: 900 });
    expect(event?.withoutProse).toBe("it would leave too little of the saving");
    expect(event?.tokensAfter).toBeLessThan(event?.tokensBefore ?? 0);
  });

  it("is planned again for a smaller budget, if it would have saved too little for a larger one", async () => {
    // The summary quotes the requests, so a large one saves nothing.
    const requests = Array.from({ length: 14 }, (_, i): ModelMessage[] => [
      {
        role: "user",
        content: `Request ${i}: rename ${Array.from({ length: 12 }, (_, k) => `name${i}${k}`).join(", ")}.`,
      },
      { role: "assistant", content: "Done." },
    ]).flat();
    const open = await session([{ role: "user", content: "a ".repeat(3_000) }, ...requests]);
    const { final } = (await open.prepare()).tokens;
    expect((await open.prepare({ budget: final - 1 })).wasCompacted).toBe(false);
    expect((await open.prepare({ budget: 600 })).wasCompacted).toBe(true);
  });

  it.each([
    { targetTokens: 0 },
    { targetTokens: Number.NaN },
    { targetTokens: -1 },
    { keepTokens: -1 },
    { keepTokens: Number.NaN },
  ])("refuses %j", async (options) => {
    const open = await session();
    await expect(open.compact(options)).rejects.toThrow(InvalidOptionError);
    await expect(open.preview(options)).rejects.toThrow(InvalidOptionError);
  });

  it("does not run if a summary does not fit", async () => {
    const open = await session();
    expect(await open.compact({ targetTokens: 5, keepTokens: 0 })).toBeUndefined();
    expect((await open.prepare({ budget: 900_000 })).messages).toHaveLength(81);
  });

  it("keeps the prose of an earlier summary if the model fails later", async () => {
    let isUp = true;
    const generate: Model["generate"] = async () => {
      if (!isUp) throw new Error("down");
      return {
        text: "### Original Task\nx\n### Completed Work\nThe cart.\n### Current State\nWe chose Stripe for its fees.",
      };
    };
    const throughline = await createThroughline({ clock, model: { modelId: "gpt-4o", generate } });
    const open = throughline.session("s", { contextLimit: 24_000 });
    for (let round = 0; round < 4; round += 1) {
      await open.append(talk(20));
      const event = await open.compact({ keepTokens: 100 });
      expect(event?.summary).toContain("We chose Stripe for its fees.");
      isUp = false;
    }
  });

  it("keeps also a very short earlier summary if the model fails later", async () => {
    const text = "### Original Task\nx\n### Completed Work\ny\n### Current State\nStripe.";
    let isUp = true;
    const generate: Model["generate"] = async () => ({ text: isUp ? text : "" });
    const throughline = await createThroughline({ clock, model: { modelId: "gpt-4o", generate } });
    const open = throughline.session("s", { contextLimit: 24_000 });
    await open.append(talk(20));
    expect((await open.compact({ keepTokens: 100 }))?.summary).toContain("Stripe.");
    isUp = false;
    await open.append(talk(20));
    expect((await open.compact({ keepTokens: 100 }))?.summary).toContain("### Earlier Summary\nOriginal Task");
  });
});

describe("a preview", () => {
  it("is undefined if a compaction would save nothing", async () => {
    const open = await session([{ role: "user", content: "hi" }, ...talk(3, 1)]);
    expect(await open.preview({ keepTokens: 0 })).toBeUndefined();
    expect(await open.compact({ keepTokens: 0 })).toBeUndefined();
  });

  it("does not find a word of the user inside another word", async () => {
    const open = await session([
      { role: "user", content: "Rename the prefix of all files." },
      ...steps(40),
      { role: "user", content: "fix" },
      ...steps(60).slice(80),
    ]);
    const preview = await open.preview({ targetTokens: 16, keepTokens: 0 });
    expect(preview?.critical).toContainEqual(expect.objectContaining({ kind: "request", text: "fix" }));
  });
});

describe("a session", () => {
  it("shows nothing of an erased session, also to an object that had it in memory", async () => {
    const throughline = await createThroughline({ clock });
    const open = throughline.session("s");
    await open.append([{ role: "user", content: "A secret." }]);
    await throughline.purgeSession("s");
    await open.append([{ role: "user", content: "Anew." }]);
    expect((await open.prepare()).messages).toEqual([{ role: "user", content: "Anew." }]);
    await throughline.purgeSession("s");
    expect(await open.history()).toEqual([]);
    expect(JSON.stringify(await open.prepare())).not.toMatch(/secret|Anew/);
  });

  it("keeps parts whose ids are names of object properties", async () => {
    const open = (await createThroughline({ clock })).session("s", { contextLimit: 24_000 });
    const ids = ["constructor", "toString", "__proto__"];
    const drafts = ids.map((id) => ({
      role: "user" as const,
      parts: [{ id, type: "text" as const, text: `I am ${id}.` }],
    }));
    await open.append(talk(40));
    await open.append(
      drafts.map((draft, i) => completeMessage(draft, i, { sessionId: "s", messageId: () => `n${i}` })),
    );
    expect(await open.compact({ keepTokens: 100 })).toMatchObject({ round: 1 });
    const content = ids.map((id) => ({ type: "text", text: `I am ${id}.` }));
    expect((await open.prepare()).messages.at(-1)).toEqual({ role: "user", content });
  });

  it("reads the list when it is appended, and counts it itself", async () => {
    const open = await session([]);
    const list: ModelMessage[] = [{ role: "user", content: "one" }];
    const appending = open.append(list);
    list.push({ role: "user", content: "two" });
    await appending;
    expect(await open.history()).toHaveLength(1);
    const [message] = await open.history();
    if (message === undefined) throw new Error("no message");
    const longer = message.parts.map((part) => ({ ...part, id: "p", text: "word ".repeat(5_000) }));
    await open.append([{ ...message, id: "n", parts: longer }]);
    expect((await open.prepare({ budget: 900_000 })).tokens.final).toBeGreaterThan(5_000);
    const { messages } = await open.prepare({ budget: 600 });
    expect(countTokens(JSON.stringify(messages))).toBeLessThan(700);
  });

  it("reads nothing in order to append", async () => {
    const read: string[] = [];
    const real = inProcessStore(clock);
    const noted = <T extends object>(part: T, names: readonly (keyof T & string)[]): T =>
      Object.fromEntries(
        Object.entries(part).map(([name, method]) => [
          name,
          (...given: unknown[]) => {
            if (names.includes(name as keyof T & string)) read.push(name);
            return method(...given);
          },
        ]),
      ) as T;
    const store = {
      ...real,
      messages: noted(real.messages, ["get", "list"]),
      sessions: noted(real.sessions, ["state", "compactions"]),
    };
    const open = async () => (await createThroughline({ store, clock })).session("s");
    for (let i = 0; i < 5; i += 1) await (await open()).append(talk(10));
    expect(read).toEqual([]);
    expect((await (await open()).prepare()).messages).toHaveLength(50);
  });

  it("does not prune or compact a short conversation because of a huge system prompt", async () => {
    const open = (await createThroughline({ clock })).session("s");
    await open.append([{ role: "user", content: task }, ...steps(20)]);
    const turn = await open.prepare({ system: "word ".repeat(100_000) });
    expect(turn).toMatchObject({ wasPruned: false, wasCompacted: false });
  });
});

describe("aborted and failing work", () => {
  it("rejects with the signal's reason, before it starts and while it waits for another compaction", async () => {
    const store = inProcessStore();
    const open = (await createThroughline({ store })).session("s", { contextLimit: 24_000, lockWait: 60_000 });
    await open.append([{ role: "user", content: task }, ...steps(40)]);
    await expect(open.prepare({ signal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow("stop");
    await store.sessions.lease({ userId: "local", sessionId: "s" }, "another", 60_000);
    const signal = AbortSignal.timeout(20);
    await expect(open.prepare({ budget: 2_000, signal })).rejects.toThrow(/timeout/);
    await expect(open.compact({ signal })).rejects.toThrow(/timeout/);
    expect(await open.compactions()).toEqual([]);
  });

  it("succeeds if the lease cannot be released", async () => {
    const warnings: string[] = [];
    const store = changed(inProcessStore(), (sessions) => ({
      lease: (key, holder, milliseconds) =>
        milliseconds > 0 ? sessions.lease(key, holder, milliseconds) : Promise.reject(new Error("gone")),
    }));
    const logger = { info: () => undefined, warn: (text: string) => warnings.push(text) };
    const open = (await createThroughline({ store, logger })).session("s", { contextLimit: 24_000 });
    await open.append([{ role: "user", content: task }, ...steps(40)]);
    expect((await open.prepare({ budget: 3_000 })).wasCompacted).toBe(true);
    expect(warnings.join()).toContain("gone");
  });

  it("is refused if the model cannot generate", async () => {
    const model = { modelId: "openai/gpt-4o" } as unknown as Model;
    await expect(createThroughline({ model })).rejects.toThrow(InvalidOptionError);
  });
});
