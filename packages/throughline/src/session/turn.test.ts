import { describe, expect, it } from "vitest";
import { IrreducibleContextError } from "../errors/session-errors.ts";
import type { Model } from "../ports/model.ts";
import type { Commit, Store } from "../ports/store.ts";
import { inProcessStore } from "../store/in-process.ts";
import { createThroughline } from "../throughline.ts";
import { clock, steps, task } from "./long-session.fixture.ts";

const long = [{ role: "user" as const, content: task }, ...steps(40)];
const key = { userId: "local", sessionId: "s" };

/** Opens a long session on a store. `beforeLease` runs once, just before the first lease is granted. */
async function openSession(options: { store?: Store; model?: Model; beforeLease?: () => Promise<unknown> } = {}) {
  const { store = inProcessStore(clock), model, beforeLease } = options;
  const commits: Commit[] = [];
  let isFirst = true;
  const sessions: Store["sessions"] = {
    ...store.sessions,
    commit: (of, commit) => {
      commits.push(commit);
      return store.sessions.commit(of, commit);
    },
    lease: async (...given) => {
      if (isFirst) {
        isFirst = false;
        await beforeLease?.();
      }
      return store.sessions.lease(...given);
    },
  };
  const throughline = await createThroughline({ store: { ...store, sessions }, clock, ...(model && { model }) });
  return { session: throughline.session("s", { modelId: "gpt-4o", contextLimit: 24_000 }), commits };
}

describe("a budget above the context window of the model", () => {
  it("is named in the receipt", async () => {
    const open = (await createThroughline()).session("s", { modelId: "gpt-4o" });
    await open.append([{ role: "user", content: "Hello" }]);
    expect((await open.prepare({ budget: 8_000_000 })).receipt.notes).toEqual([
      "The budget of 8,000,000 tokens is larger than the context window of gpt-4o: 128,000 tokens.",
    ]);
    expect((await open.prepare({ budget: 128_000 })).receipt.notes).toEqual([]);
  });
});

describe("a turn that prunes and compacts", () => {
  it("stores its masks, its compaction and its receipt in one commit", async () => {
    const { session, commits } = await openSession();
    await session.append(long);
    expect(await session.prepare({ budget: 2_500 })).toMatchObject({ wasPruned: true, wasCompacted: true });
    expect(commits).toHaveLength(1);
    expect(commits[0]?.marks?.size).toBeGreaterThan(0);
    expect(commits[0]?.compactions).toHaveLength(1);
    expect(commits[0]?.receipts).toHaveLength(1);
  });

  it("stores nothing if it is aborted while the model writes, and sends no event for the pruning", async () => {
    const stop = new AbortController();
    const model: Model = {
      modelId: "gpt-4o",
      generate: async () => {
        stop.abort(new Error("stopped"));
        return { text: "" };
      },
    };
    const { session, commits } = await openSession({ model });
    await session.append(long);
    const events: string[] = [];
    session.on(({ type }) => events.push(type));
    await expect(session.prepare({ budget: 2_500, signal: stop.signal, waitForModel: true })).rejects.toThrow(
      "stopped",
    );
    expect(commits).toEqual([]);
    expect(events).toEqual(["compaction:start", "compaction:complete"]);
    expect((await session.status()).isCompacting).toBe(false);
  });

  it("keeps masks and compaction if the window cannot be made to fit, with the reason in the receipt", async () => {
    const { session, commits } = await openSession();
    await session.append([{ role: "user", content: "word ".repeat(60) }, ...long.slice(1)]);
    await expect(session.prepare({ budget: 60 })).rejects.toThrow(IrreducibleContextError);
    expect(commits).toHaveLength(1);
    expect(commits[0]?.marks?.size).toBeGreaterThan(0);
    expect(await session.compactions()).toHaveLength(1);
    const [receipt] = await session.receipts();
    expect(receipt).toMatchObject({
      tokens: 0,
      items: [],
      notes: [expect.stringContaining("into a budget of 60")],
    });
  });
});

describe("a turn while another process works on the session", () => {
  it("is planned again, with the messages that were appended before it got the lease", async () => {
    const store = inProcessStore(clock);
    const other = (await createThroughline({ store, clock })).session("s");
    const beforeLease = () => other.append([{ role: "user", content: "Said meanwhile." }]);
    const { session } = await openSession({ store, beforeLease });
    await session.append(long);
    const starts: string[] = [];
    session.on(({ type }) => type === "compaction:start" && starts.push(type));
    const turn = await session.prepare({ budget: 2_500 });
    expect(turn.wasCompacted).toBe(true);
    expect(JSON.stringify(turn.messages.at(-1))).toContain("Said meanwhile.");
    expect(starts).toHaveLength(1);
    expect(await session.compactions()).toHaveLength(1);
  });

  it("uses the compaction that the other process made, and asks no model for a second one", async () => {
    const store = inProcessStore(clock);
    const other = (await createThroughline({ store, clock })).session("s");
    let asked = 0;
    const model: Model = {
      modelId: "gpt-4o",
      generate: async () => {
        asked += 1;
        return { text: "" };
      },
    };
    const { session } = await openSession({ store, model, beforeLease: () => other.compact({ keepTokens: 300 }) });
    await session.append(long);
    const turn = await session.prepare({ budget: 2_500, waitForModel: true });
    expect(turn.wasCompacted).toBe(true);
    expect(turn.tokens.before).toBeGreaterThan(2_500);
    expect(asked).toBe(0);
    expect(await session.compactions()).toHaveLength(1);
  });

  it("is planned again if the window it compacted is undone before the commit", async () => {
    const store = inProcessStore(clock);
    const other = (await createThroughline({ store, clock })).session("s");
    let first: string | undefined;
    const model: Model = {
      modelId: "gpt-4o",
      generate: async () => {
        if (first !== undefined) await other.restore(first);
        return { text: "" };
      },
    };
    const { session } = await openSession({ store, model });
    await session.append(long);
    first = (await other.compact({ keepTokens: 2_000 }))?.id;
    await session.append(steps(60).slice(80));
    const turn = await session.prepare({ budget: 2_500, waitForModel: true });
    expect(turn.tokens.final).toBeLessThanOrEqual(2_500);
    // The undone window was just restored, so it is trimmed and not compacted again.
    expect((await session.compactions()).map(({ isUndone }) => isUndone)).toEqual([true]);
    expect((await store.sessions.head(key)).isCompacting).toBe(false);
  });
});

describe("a compaction that the caller asks for while another process works on the session", () => {
  it("is planned again, with the messages that were appended before it got the lease", async () => {
    const store = inProcessStore(clock);
    const other = (await createThroughline({ store, clock })).session("s");
    const beforeLease = () => other.append([{ role: "user", content: "Said meanwhile." }]);
    const { session } = await openSession({ store, beforeLease });
    await session.append(long);
    const events: string[] = [];
    session.on(({ type }) => events.push(type));
    expect(await session.compact({ keepTokens: 300 })).toMatchObject({ round: 1 });
    expect(JSON.stringify((await session.prepare()).messages.at(-1))).toContain("Said meanwhile.");
    expect(events).toEqual(["compaction:start", "compaction:complete"]);
    expect((await session.status()).isCompacting).toBe(false);
  });

  it("builds on the compaction that the other process made", async () => {
    const store = inProcessStore(clock);
    const other = (await createThroughline({ store, clock })).session("s");
    const { session } = await openSession({ store, beforeLease: () => other.compact({ keepTokens: 300 }) });
    await session.append(long);
    expect(await session.compact({ keepTokens: 100 })).toMatchObject({ round: 2 });
    expect((await session.compactions()).map(({ isUndone }) => isUndone)).toEqual([false, false]);
    expect((await session.status()).isCompacting).toBe(false);
  });
});
