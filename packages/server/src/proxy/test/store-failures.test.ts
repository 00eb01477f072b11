import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { StoreError } from "../../../../throughline/src/errors/store-errors.ts";
import type { Store } from "../../../../throughline/src/ports/store.ts";
import { inProcessStore } from "../../../../throughline/src/store/in-process.ts";
import { sqliteStore } from "../../../../throughline/src/store/sqlite/sqlite-store.ts";
import { SOAK } from "../../../../throughline/test/cases.ts";
import type { ProxyTurn } from "../proxy-turn.ts";
import { teeResponse } from "../upstream/forward.ts";
import { longChat, post, proxiedProvider, words } from "./long-runs.fixture.ts";
import type { RunningProxy } from "./proxy.fixture.ts";

/** `npm run soak` fails every operation, `npm test` every third. */
const STEP = SOAK > 1 ? 1 : 3;

const at = proxiedProvider();
const folder = mkdtempSync(join(tmpdir(), "throughline-failures-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Kinds of failure: the operation throws, or returns an invalid value. */
type Fail = (operation: number) => unknown;
const refuse: Fail = (operation) => {
  throw operation % 2 === 0 ? new StoreError("busy", "The database is locked.") : new TypeError("No.");
};
const answerNonsense: Fail = async () => ({ appended: -1, value: null, heads: [null] });

/** A store whose operations fail if `isFailing` returns true. Operations are numbered from 1. */
function failingStore(isFailing: (operation: number) => boolean, fail: Fail) {
  const store = inProcessStore();
  const done = { operations: 0, failures: 0 };
  const failing = <T extends object>(part: T): T =>
    new Proxy(part, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== "function") return method;
        return (...args: unknown[]) => {
          // A lease that is not released expires, and the session continues.
          if (name === "lease" && args[2] === 0) return method.apply(target, args) as unknown;
          done.operations += 1;
          if (!isFailing(done.operations)) return method.apply(target, args) as unknown;
          done.failures += 1;
          return fail(done.operations);
        };
      },
    });
  const { messages, sessions, documents, memories } = store;
  const parts = { messages: failing(messages), sessions: failing(sessions), documents: failing(documents) };
  return { done, store: { ...store, ...parts, memories } satisfies Store };
}

/** The outcome of one request. */
interface Outcome {
  readonly status: number;
  readonly isAnswered: boolean;
  readonly isUnchanged: boolean;
  readonly degraded: string | null;
  readonly failures: number;
  readonly errors: number;
}

/** A conversation that fits, then one that must be compacted, then one that is refused as too long; streamed or not. */
async function converse(isFailing: (operation: number) => boolean, fail: Fail = refuse) {
  const { store, done } = failingStore(isFailing, fail);
  const outcomes: Outcome[] = [];
  await at.withProxy({ store, contextLimits: { local: 4_000 } }, async (proxy) => {
    const messages: object[] = [{ role: "user", content: "Hi." }];
    const more = [[], longChat().slice(2), [{ role: "user", content: words(100) }]];
    for (const [index, added] of more.entries()) {
      messages.push(...added);
      at.upstream.provider.limit = index === 2 ? 400 : 100_000;
      const before = { failures: done.failures, errors: proxy.errors.length };
      const body = JSON.stringify({ model: "local", messages, stream: index === 1 });
      const answer = await post(proxy, "chat/completions", body);
      const { body: sent, answer: told } = at.upstream.log.at(-1) ?? {};
      outcomes.push({
        status: answer.status,
        isAnswered: answer.text === told && answer.status === 200,
        isUnchanged: sent === body,
        degraded: answer.header("degraded"),
        failures: done.failures - before.failures,
        errors: proxy.errors.length - before.errors,
      });
      messages.push({ role: "assistant", content: "Hello." });
    }
  });
  return { outcomes, operations: done.operations };
}

/** Errors are always logged, and reported to the client if the request was forwarded unchanged. */
function checkFailure({ status, degraded, isUnchanged, errors }: Outcome): void {
  expect(errors).toBeGreaterThan(0);
  if (status === 200 && degraded !== null) expect(isUnchanged).toBe(true);
}

/** Sends a short request; the request and its response pass through unchanged. */
async function expectUnchanged(proxy: RunningProxy) {
  const body = JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: "Hi." }] });
  const answer = await post(proxy, "chat/completions", body);
  const { body: sent, answer: text } = at.upstream.log.at(-1) ?? {};
  expect({ status: answer.status, text: answer.text, sent }).toEqual({ status: 200, text, sent: body });
  return answer;
}

describe("a failing store", () => {
  it("at any single operation loses no answer, is reported, and affects only that request", async () => {
    const { operations, outcomes: usual } = await converse(() => false);
    expect(usual.map(({ isAnswered, degraded }) => ({ isAnswered, degraded }))).toEqual(
      Array(3).fill({ isAnswered: true, degraded: null }),
    );
    expect(operations).toBeGreaterThan(30);
    expect(at.upstream.log.some(({ isOverflow }) => isOverflow)).toBe(true);
    const degraded = new Set<string>();
    for (let failing = 1; failing <= operations; failing += STEP) {
      const { outcomes } = await converse((operation) => operation === failing);
      for (const [index, outcome] of outcomes.entries()) {
        const { status, isAnswered, failures } = outcome;
        // A request that the provider finds too long fails if there is no smaller window.
        if (index < 2 || outcome.degraded === null)
          expect({ failing, status, isAnswered }).toMatchObject({ isAnswered: true });
        if (failures > 0) checkFailure(outcome);
        else
          expect({ failing, degraded: outcome.degraded, errors: outcome.errors }).toMatchObject({
            degraded: null,
            errors: 0,
          });
        if (outcome.degraded !== null) degraded.add(outcome.degraded);
      }
    }
    expect([...degraded].sort()).toEqual(["internal", "store"]);
  });

  it("that returns invalid values at any single operation loses no answer", async () => {
    const { operations } = await converse(() => false);
    for (let failing = 1; failing <= operations; failing += STEP) {
      const { outcomes } = await converse((operation) => operation === failing, answerNonsense);
      for (const { isAnswered } of outcomes.slice(0, 2))
        expect({ failing, isAnswered }).toMatchObject({ isAnswered: true });
    }
  });

  it("is reported to a failing logger without losing an answer", async () => {
    const { store } = failingStore(() => true, refuse);
    const onError = () => {
      throw new Error("The disk is full.");
    };
    await at.withProxy({ store, onError }, async (proxy) => {
      const body = JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: "Hi." }] });
      const answer = await post(proxy, "chat/completions", body);
      expect({ status: answer.status, degraded: answer.header("degraded") }).toEqual({
        status: 200,
        degraded: "internal",
      });
    });
  });

  it.each(["a request", "an answer"])("that hangs does not delay %s", async (what) => {
    const store = inProcessStore();
    const never = () => new Promise<never>(() => undefined);
    let appends = what === "a request" ? 1 : 0;
    const append: Store["messages"]["append"] = (...args) => {
      appends += 1;
      return appends === 2 ? never() : store.messages.append(...args);
    };
    const messages = { ...store.messages, append };
    await at.withProxy({ store: { ...store, messages }, maxStoreWait: 300 }, async (proxy) => {
      const answer = await expectUnchanged(proxy);
      if (what === "a request") expect(answer.header("degraded")).toBe("store");
      expect(proxy.errors).toEqual([expect.objectContaining({ problem: "busy" })]);
    });
  });

  it.each(["head", "commit"] as const)(
    "that hangs in `%s` after the request is stored does not delay it",
    async (name) => {
      const store = inProcessStore();
      const never = () => new Promise<never>(() => undefined);
      let isStored = false;
      const append: Store["messages"]["append"] = async (...args) => {
        const isDone = await store.messages.append(...args);
        isStored = true;
        return isDone;
      };
      const stalled: Store["sessions"] = new Proxy(store.sessions, {
        get: (target, key) => {
          const method = Reflect.get(target, key) as unknown;
          if (isStored && key === name) return never;
          return typeof method === "function" ? (method.bind(target) as unknown) : method;
        },
      });
      const parts = { messages: { ...store.messages, append }, sessions: stalled };
      const waits = { maxStoreWait: 300, maxModelWait: 0 };
      await at.withProxy({ store: { ...store, ...parts }, ...waits }, async (proxy) => {
        const answer = await expectUnchanged(proxy);
        expect(answer.header("degraded")).toBe("store");
      });
    },
  );

  it("that stores an answer late does not get it twice from the next request", async () => {
    const store = inProcessStore();
    const gate = Promise.withResolvers<void>();
    let appends = 0;
    const append: Store["messages"]["append"] = async (...args) => {
      appends += 1;
      if (appends === 2) await gate.promise;
      return store.messages.append(...args);
    };
    const messages = { ...store.messages, append };
    await at.withProxy({ store: { ...store, messages }, maxStoreWait: 1_000 }, async (proxy) => {
      const asked = [{ role: "user", content: "Hi." }];
      const ask = () => post(proxy, "chat/completions", JSON.stringify({ model: "gpt-4o", messages: asked }));
      const first = await ask();
      asked.push({ role: "assistant", content: "Hello." }, { role: "user", content: "And now?" });
      const second = await ask();
      expect(second.header("degraded")).toBeNull();
      expect(second.header("session")).not.toBe(first.header("session"));
      gate.resolve();
      const throughline = await proxy.throughline();
      const roles = async (told: typeof first) =>
        (await throughline.session(told.header("session") ?? "").history()).map(({ role }) => role);
      expect(await roles(first)).toEqual(["user", "assistant"]);
      expect(await roles(second)).toEqual(["user", "assistant", "user", "assistant"]);
    });
  });

  it.each(SOAK > 1 ? [1, 5, 12, 25] : [5])("from operation %i on lets every request pass unchanged", async (first) => {
    const { outcomes } = await converse((operation) => operation >= first);
    const failed = outcomes.slice(outcomes.findIndex(({ failures }) => failures > 0));
    expect(failed.length).toBeGreaterThan(0);
    for (const outcome of failed) checkFailure(outcome);
    for (const { degraded, isUnchanged } of failed.slice(1)) {
      expect({ degraded, isUnchanged }).toEqual({ degraded: expect.any(String), isUnchanged: true });
    }
  });
});

describe("an unreadable answer", () => {
  it.each([true, false])("reaches the client in any case, and is reported; streamed: %s", async (isStream) => {
    const errors: unknown[] = [];
    const fail = () => {
      throw new TypeError("No.");
    };
    const reader = { event: fail, body: fail, isFinished: false, failure: undefined, answer: fail };
    const turn = { leave: () => undefined } as unknown as ProxyTurn;
    const listener = teeResponse(turn, reader, isStream, (error) => errors.push(error));
    await listener.read(Buffer.from("data: 1\n\n"));
    await listener.read(Buffer.from("data: 2\n\n"));
    await listener.end();
    expect(errors).toEqual([new TypeError("No.")]);
  });
});

describe("a database locked by another process", () => {
  it("lets requests and answers pass, and is used again when it is free", async () => {
    const path = join(folder, "locked.db");
    const store = sqliteStore(path, { busyTimeout: 20 });
    await at.withProxy({ store }, async (proxy) => {
      const messages = [{ role: "user", content: "Hi." }];
      const ask = async () => {
        const body = JSON.stringify({ model: "gpt-4o", messages });
        const answer = await post(proxy, "chat/completions", body);
        expect(at.upstream.log.at(-1)?.body).toBe(body);
        messages.push({ role: "assistant", content: "Hello." }, { role: "user", content: "And now?" });
        return { status: answer.status, degraded: answer.header("degraded") };
      };
      expect(await ask()).toEqual({ status: 200, degraded: null });
      const other = new DatabaseSync(path);
      other.exec("BEGIN IMMEDIATE");
      expect(await ask()).toEqual({ status: 200, degraded: "store" });
      expect(proxy.errors[0]).toBeInstanceOf(StoreError);
      other.exec("ROLLBACK");
      other.close();
      expect(await ask()).toEqual({ status: 200, degraded: null });
    });
    await store.close();
  });
});
