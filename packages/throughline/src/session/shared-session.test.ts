import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { cases } from "../../test/cases.ts";
import type { Model } from "../ports/model.ts";
import { inProcessStore } from "../store/in-process.ts";
import { createThroughline } from "../throughline.ts";
import { clock, steps, task } from "./long-session.fixture.ts";
import type { SessionEvent } from "./session-events.ts";

/** Two programs that work on one session. */
async function two(model?: Model) {
  const store = inProcessStore(clock);
  const open = async () => (await createThroughline({ store, clock, ...(model ? { model } : {}) })).session("s");
  return [await open(), await open()] as const;
}

describe("a session that two processes share", () => {
  it("loses nothing, keeps the order of each writer, and is the same for both", async () => {
    const actions = fc.array(fc.tuple(fc.boolean(), fc.constantFrom("append", "prepare", "compact", "prune")), {
      minLength: 4,
      maxLength: 24,
    });
    await fc.assert(
      fc.asyncProperty(actions, async (list) => {
        const sessions = await two();
        const said: Record<"0" | "1", string[]> = { 0: [], 1: [] };
        await Promise.all(
          list.map(async ([isFirst, action], index) => {
            const who = isFirst ? 0 : 1;
            const session = sessions[who];
            if (action === "append") {
              said[who].push(`${who} says ${index}`);
              await session.append([{ role: "user", content: `${who} says ${index}` }, ...steps(2)]);
            }
            if (action === "prepare") await session.prepare({ budget: 1_200 });
            if (action === "compact") await session.compact({ keepTokens: 200, targetTokens: 200 });
            if (action === "prune") await session.prune();
          }),
        );
        const history = JSON.stringify(await sessions[0].history());
        for (const who of [0, 1] as const) {
          const places = said[who].map((text) => history.indexOf(JSON.stringify(text)));
          expect(places.every((place) => place > 0)).toBe(true);
          expect(places).toEqual(places.toSorted((a, b) => a - b));
        }
        const [one, other] = [await sessions[0].prepare(), await sessions[1].prepare()];
        expect(one.messages).toEqual(other.messages);
        const rounds = (await sessions[0].compactions()).map(({ round }) => round);
        expect(rounds).toEqual(rounds.map((_, index) => index + 1));
        const receipts = (await sessions[1].receipts()).map(({ id }) => id);
        expect(new Set(receipts).size).toBe(receipts.length);
      }),
      { numRuns: cases(15) },
    );
  });

  it("keeps messages that one appends while the other waits for its summarizer", async () => {
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    const generate = async () => {
      asked.resolve();
      await answered.promise;
      return { text: "" };
    };
    const [one, other] = await two({ modelId: "m", generate });
    await one.append([{ role: "user", content: task }, ...steps(40)]);
    const compacting = one.compact({ keepTokens: 500 });
    await asked.promise;
    expect((await other.status()).isCompacting).toBe(true);
    await other.append([{ role: "user", content: "Said meanwhile." }]);
    await other.prune();
    answered.resolve();
    expect(await compacting).toMatchObject({ round: 1 });
    const { messages } = await one.prepare();
    expect(JSON.stringify(messages.at(-1))).toContain("Said meanwhile.");
    expect((await other.prepare()).messages).toEqual(messages);
  });

  it("restores a compaction that the other compacts over meanwhile", async () => {
    const store = inProcessStore(clock);
    const open = async () => (await createThroughline({ store, clock })).session("s");
    const [one, other] = [await open(), await open()];
    await one.append([{ role: "user", content: task }, ...steps(40)]);
    const first = await one.compact({ keepTokens: 500 });
    await one.append(steps(80).slice(80));
    const read = store.sessions.compactions.bind(store.sessions);
    const second = Promise.withResolvers<unknown>();
    vi.spyOn(store.sessions, "compactions").mockImplementationOnce(async (...query) => {
      const known = await read(...query);
      second.resolve(await other.compact({ keepTokens: 100 }));
      return known;
    });
    await one.restore(first?.id ?? "");
    expect(await second.promise).toMatchObject({ round: 2 });
    expect((await other.compactions()).map(({ isUndone }) => isUndone)).toEqual([true, true]);
    expect((await other.prepare({ budget: 200_000 })).messages).toHaveLength(161);
  });

  it("sends each event to both, once", async () => {
    const [one, other] = await two();
    const heard: [string, SessionEvent["type"]][] = [];
    one.on(({ type }) => heard.push(["one", type]));
    const stop = other.on(({ type }) => heard.push(["other", type]));
    await one.append([{ role: "user", content: task }, ...steps(40)]);
    await one.compact({ keepTokens: 500 });
    expect(heard.sort()).toEqual([
      ["one", "compaction:complete"],
      ["one", "compaction:start"],
      ["other", "compaction:complete"],
      ["other", "compaction:start"],
    ]);
    stop();
    await one.append([...steps(60).slice(80)]);
    await one.compact({ keepTokens: 100 });
    expect(heard.filter(([who]) => who === "other")).toHaveLength(2);
  });
});

describe("a session that is loaded again", () => {
  it("holds only its window in memory, and recalls the rest from the store", async () => {
    const [one, other] = await two();
    await one.append([{ role: "user", content: task }, ...steps(400)]);
    await one.compact({ keepTokens: 1_000 });
    const { messages } = await other.recall("compaction-1");
    expect(messages.length).toBeGreaterThan(700);
    const [first, last] = [messages[3]?.id, messages[9]?.id];
    expect((await other.recall(`messages:${first}..${last}`)).messages).toEqual(messages.slice(3, 10));
  });

  it("keeps the counts corrected by reported usage", async () => {
    const [one, other] = await two();
    await one.append([{ role: "user", content: task }, ...steps(20)]);
    const first = await one.prepare();
    await other.reportUsage({ inputTokens: first.tokens.final * 1.5 });
    expect((await one.prepare()).tokens.final).toBeCloseTo(first.tokens.final * 1.5, -2);
  });
});
