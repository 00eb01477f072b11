import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { cases } from "../../test/cases.ts";
import type { CompactionDetail } from "../compact/window.ts";
import { anyWindow } from "../message/message.arbitrary.ts";
import type { Message } from "../message/message.ts";
import type { Store } from "../ports/store.ts";
import { inProcessStore } from "../store/in-process.ts";
import { sqliteStore } from "../store/sqlite/sqlite.ts";
import { createThroughline } from "../throughline.ts";
import { clock, session as longSession, steps, task } from "./long-session.fixture.ts";
import type { SessionState } from "./state/session-state.ts";

const folder = mkdtempSync(join(tmpdir(), "throughline-stored-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const open = async (store: Store) => (await createThroughline({ store, clock })).session("s", { contextLimit: 24_000 });

const action = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("append" as const), messages: anyWindow }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("work" as const), count: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("prepare" as const), budget: fc.constantFrom(900, 3_000) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("compact" as const), keepTokens: fc.constantFrom(0, 400) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("prune" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("restore" as const) }) },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

/** Result of an action after a round trip through JSON, without undefined fields. */
async function act(session: Awaited<ReturnType<typeof open>>, one: Action): Promise<unknown> {
  const result = await perform(session, one).catch((error: Error) => `${error.name}: ${error.message}`);
  return JSON.parse(JSON.stringify(result ?? null));
}

async function perform(session: Awaited<ReturnType<typeof open>>, one: Action): Promise<unknown> {
  switch (one.kind) {
    case "append":
      return session.append(one.messages as Message[]);
    case "work":
      return session.append([{ role: "user", content: task }, ...steps(one.count)]);
    case "prepare":
      return session.prepare({ budget: one.budget });
    case "compact":
      return session.compact({ keepTokens: one.keepTokens, targetTokens: 300 });
    case "prune":
      return session.prune();
    case "restore": {
      const last = (await session.compactions()).at(-1);
      return last && session.restore(last.id);
    }
  }
}

describe("a session in SQLite that is opened again for each task", () => {
  it("behaves like one that stays in memory", async () => {
    let n = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 12 }), async (actions) => {
        const path = join(folder, `${n++}.db`);
        const inMemory = await open(inProcessStore(clock));
        for (const one of actions) {
          const store = sqliteStore(path);
          expect(await act(await open(store), one)).toEqual(await act(inMemory, one));
          await store.close();
        }
      }),
      { numRuns: cases(15) },
    );
  });

  it("stores its state from time to time, and adds newer messages when it is loaded", async () => {
    const store = sqliteStore(join(folder, "state.db"));
    const messages = [{ role: "user" as const, content: task }, ...steps(100)];
    const session = await open(store);
    for (const message of messages) {
      await session.append([message]);
      await session.prepare({ budget: 900_000 });
    }
    const state = (await store.sessions.state({ userId: "local", sessionId: "s" })) as { appended: number };
    expect(state.appended).toBeGreaterThan(120);
    expect(state.appended).toBeLessThan(201);
    const whole = await (await longSession(messages)).prepare({ budget: 900_000 });
    expect((await (await open(store)).prepare({ budget: 900_000 })).messages).toEqual(whole.messages);
    await store.close();
  });
});

/** A store whose sessions have the field names of version 0.1. */
function withEarlierNames(store: Store): Store {
  const { compactions, state } = store.sessions;
  const sessions: Store["sessions"] = {
    ...store.sessions,
    async compactions(...wanted) {
      return (await compactions.call(store.sessions, ...wanted)).map(({ detail, ...event }) => {
        const { summaryMessages: standIns, ...rest } = detail as CompactionDetail;
        return { ...event, detail: { ...rest, standIns } };
      });
    },
    async state(key) {
      const { ledger, ...rest } = (await state.call(store.sessions, key)) as SessionState;
      const { droppedCounts: letGo, ...named } = ledger;
      return { ...rest, ledger: { ...named, letGo } };
    },
  };
  return { ...store, sessions };
}

it("opens a session that was stored with the field names of version 0.1", async () => {
  const store = inProcessStore();
  const session = await open(store);
  await session.append([{ role: "user", content: task }, ...steps(40)]);
  const compaction = await session.compact();
  const window = await session.window.messages();
  const reopened = await open(withEarlierNames(store));
  expect(await reopened.window.messages()).toEqual(window);
  expect(await reopened.compact({ keepTokens: 0 })).toMatchObject({ round: 2 });
  expect(await reopened.restore(compaction?.id ?? "")).toBe(true);
  expect(await reopened.window.messages()).toHaveLength((await session.history()).length);
});
