import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../test/cases.ts";
import type { Receipt } from "../../receipt/receipt.ts";
import { sqliteStore } from "../../store/sqlite/sqlite-store.ts";
import { createThroughline } from "../../throughline.ts";
import { clock, steps, task } from "../long-session.fixture.ts";
import type { Session } from "../session.ts";

const key = { userId: "local", sessionId: "s" };
const settings = { modelId: "claude-sonnet-4-5", contextLimit: 24_000 };

async function openStore() {
  const store = sqliteStore(":memory:");
  const open = async () => (await createThroughline({ store, clock, userId: key.userId })).session("s", settings);
  return { store, open };
}

/** Operations on a session. Each returns the receipts of the turns that it prepared. */
const ACTIONS: Readonly<Record<string, (session: Session, number: number) => Promise<readonly Receipt[]>>> = {
  async step(session, number) {
    await session.append([{ role: "user", content: `Step ${number}` }, ...steps(1)]);
    return [(await session.prepare()).receipt];
  },
  async trim(session) {
    return [(await session.prepare({ budget: 3_000, system: "Be brief." })).receipt];
  },
  async recall(session, number) {
    const [id, text] = [`f${number}`, `- Fact ${number}`];
    const memory = async () => ({ text, sources: [id], reasons: { [id]: "asked" } });
    return [(await session.prepare({ memory })).receipt];
  },
  async fail(session) {
    await expect(session.prepare({ budget: 10 })).rejects.toThrow();
    return session.receipts(1);
  },
  async compact(session) {
    await session.compact({ keepTokens: 500, targetTokens: 300 });
    return [];
  },
  async restore(session) {
    const last = (await session.compactions()).findLast(({ isUndone }) => !isUndone);
    if (last !== undefined) await session.restore(last.id);
    return [];
  },
  async prune(session) {
    await session.prune();
    return [];
  },
};

describe("stored receipts", () => {
  it("are the receipts of the turns, whoever prepared and reads them", async () => {
    const actions = fc.array(fc.tuple(fc.nat(1), fc.constantFrom(...Object.keys(ACTIONS))), {
      minLength: 10,
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(actions, async (list) => {
        const { store, open } = await openStore();
        const sessions = [await open(), await open()];
        await sessions[0]?.append([{ role: "user", content: task }, ...steps(12)]);
        const expected: Receipt[] = [];
        for (const [who, name] of list) {
          const session = sessions[who] as Session;
          expected.push(...((await ACTIONS[name]?.(session, expected.length)) ?? []));
        }
        const reader = await open();
        expect(await reader.receipts()).toEqual(expected);
        for (const limit of [0, 1, 3]) {
          expect(await reader.receipts(limit)).toEqual(expected.slice(Math.max(0, expected.length - limit)));
        }
        await store.close();
      }),
      { numRuns: cases(12) },
    );
  });

  it("are read through many changes, and take a few hundred bytes each in a long window", async () => {
    const { store, open } = await openStore();
    const session = await open();
    await session.append([{ role: "user", content: task }, ...steps(50, 10)]);
    const expected: Receipt[] = [];
    for (let turn = 0; turn < 70; turn += 1) {
      await session.append([{ role: "user", content: `Step ${turn}` }, ...steps(1, 10)]);
      expected.push((await session.prepare()).receipt);
    }
    const reader = await open();
    expect(await reader.receipts()).toEqual(expected);
    expect(await reader.receipts(5)).toEqual(expected.slice(-5));
    const stored = await store.sessions.receipts(key);
    const sizes = stored.map(({ value }) => JSON.stringify(value).length);
    expect(sizes.filter((size) => size > 400).length).toBeLessThanOrEqual(3);
    await store.close();
  });

  it("stay readable if version 0.1 stored them", async () => {
    const { store, open } = await openStore();
    const session = await open();
    await session.append([{ role: "user", content: task }]);
    const { receipt } = await session.prepare();
    const { revision } = await store.sessions.head(key);
    const old: Receipt = { ...receipt, id: "s/receipt-2", tokens: 77 };
    await store.sessions.commit(key, { revision, receipts: [{ id: old.id, createdAt: old.createdAt, value: old }] });
    const next = await session.prepare();
    expect(await session.receipts()).toEqual([receipt, old, next.receipt]);
    await session.reportUsage({ inputTokens: 5 });
    expect((await session.receipts(1))[0]?.usage).toEqual({ inputTokens: 5 });
    await store.close();
  });
});
