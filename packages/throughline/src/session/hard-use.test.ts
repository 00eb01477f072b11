import { describe, expect, it } from "vitest";
import { InvalidOptionError } from "../errors/invalid-option-error.ts";
import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";
import { completeMessage } from "../message/message.ts";
import type { Model } from "../ports/model.ts";
import type { Store } from "../ports/store.ts";
import { inProcessStore } from "../store/in-process.ts";
import { createThroughline } from "../throughline.ts";
import { countTokens } from "../tokens/count-tokens.ts";
import { clock, session, steps, task } from "./long-session.arbitrary.ts";

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
  it("does without prose that would take what is won", async () => {
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
    expect(event?.withoutProse).toBe("with it too little would be won");
    expect(event?.tokensAfter).toBeLessThan(event?.tokensBefore ?? 0);
  });

  it("is tried again for a smaller budget, where it would have won too little for a larger one", async () => {
    const open = await session([{ role: "user", content: "a ".repeat(3_000) }, ...talk(16, 100)]);
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

  it("does not run where there is no room for a word about what it replaces", async () => {
    const open = await session();
    expect(await open.compact({ targetTokens: 5, keepTokens: 0 })).toBeUndefined();
    expect((await open.prepare({ budget: 900_000 })).messages).toHaveLength(81);
  });

  it("keeps what a model wrote before, when there is no model that goes on with it", async () => {
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
});

describe("a preview", () => {
  it("is none where a compaction would win nothing", async () => {
    const open = await session([{ role: "user", content: "hi" }, ...talk(3, 1)]);
    expect(await open.preview({ keepTokens: 0 })).toBeUndefined();
    expect(await open.compact({ keepTokens: 0 })).toBeUndefined();
  });

  it("does not take a word inside of another for what the user said", async () => {
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
  it("shows nothing of what was erased, to those who held it either", async () => {
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

  it("keeps parts whose ids are names that every object has", async () => {
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

  it("takes the list as it is when it is appended, and counts it itself", async () => {
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

  it("does not mask or compact a short conversation because its system prompt is huge", async () => {
    const open = (await createThroughline({ clock })).session("s");
    await open.append([{ role: "user", content: task }, ...steps(20)]);
    const turn = await open.prepare({ system: "word ".repeat(100_000) });
    expect(turn).toMatchObject({ wasPruned: false, wasCompacted: false });
  });
});

describe("work that is stopped or half done", () => {
  it("ends with the signal's reason, before it begins and while it waits for somebody else's compaction", async () => {
    const store = inProcessStore();
    const open = (await createThroughline({ store })).session("s", { contextLimit: 24_000, lockWait: 60_000 });
    await open.append([{ role: "user", content: task }, ...steps(40)]);
    await expect(open.prepare({ signal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow("stop");
    await store.sessions.lease({ owner: "local", sessionId: "s" }, "another", 60_000);
    const signal = AbortSignal.timeout(20);
    await expect(open.prepare({ budget: 2_000, signal })).rejects.toThrow(/timeout/);
    await expect(open.compact({ signal })).rejects.toThrow(/timeout/);
    expect(await open.compactions()).toEqual([]);
  });

  it("is done all the same where the lease cannot be given back", async () => {
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

  it("is refused for a model that is only a name", async () => {
    const model = "openai/gpt-4o" as unknown as Model;
    await expect(createThroughline({ model })).rejects.toThrow(InvalidOptionError);
  });
});
