import type { EventLog, NewEvent, StoredEvent } from "../../ports/server-store.ts";
import { assert, assertSame } from "../assert.ts";
import { HARD_TEXT } from "../samples.ts";
import type { ServerFact } from "../server-check.ts";

function event(owner: string, n: number, fields: Partial<NewEvent> = {}): NewEvent {
  return { owner, type: "turn", data: { n }, ...fields };
}

export const EVENT_FACTS: readonly ServerFact[] = [
  [
    "events come back as they were, in order, with numbers that grow",
    async ({ events }, owner) => {
      const name = owner + HARD_TEXT;
      const before = await events.last();
      const full = { projectId: HARD_TEXT, sessionId: HARD_TEXT, type: HARD_TEXT, data: [HARD_TEXT, null, { a: 1 }] };
      const given = [event(name, 0, full), event(name, 1, { data: null }), event(name, 2)];
      await events.append(given.slice(0, 2));
      await events.append([]);
      await events.append(given.slice(2));
      const read = await events.read({ owner: name, after: 0 });
      assertSame(
        read.map(({ sequence: _, at: __, ...rest }) => rest),
        given,
        "the events",
      );
      assert(
        read.every(({ sequence }) => sequence > before),
        "their numbers are new",
      );
      assert(isGrowing(read), "their numbers grow");
      assertSame(await events.last(), read.at(-1)?.sequence, "the last number");
      const large = event(name, 3, { data: "x".repeat(200_000) });
      await events.append([large]);
      const [last] = await events.read({ owner: name, after: read.at(-1)?.sequence ?? 0 });
      assertSame(last?.data, large.data, "a large one");
    },
  ],
  [
    "who goes on behind an event gets what came after it, of one owner or one session",
    async ({ events }, owner) => {
      const all = Array.from({ length: 200 }, (_, n) => event(owner, n, n % 2 === 0 ? { sessionId: "s" } : {}));
      await events.append([event(`${owner}2`, -1, { sessionId: "s" }), ...all, event(`${owner}2`, -2)]);
      const numbers = (found: readonly StoredEvent[]) => found.map(({ data }) => (data as { n: number }).n);
      const read = await events.read({ owner, after: 0 });
      assertSame(
        numbers(read),
        all.map((_, n) => n),
        "the owner's",
      );
      const after = read[99]?.sequence ?? 0;
      assertSame(numbers(await events.read({ owner, after, limit: 3 })), [100, 101, 102], "those behind one");
      assertSame(numbers(await events.read({ owner, sessionId: "s", after, limit: 2 })), [100, 102], "the session's");
      assertSame(await events.read({ owner, after: await events.last() }), [], "those behind the last");
      assertSame(await events.read({ owner, after: 2 ** 52 }), [], "those behind one that never was");
      assertSame(await events.read({ owner: `${owner}%`, after: 0 }), [], "those of a name with a sign");
      assertSame(await events.read({ owner, sessionId: "%", after: 0 }), [], "those of such a session");
    },
  ],
  [
    "who follows while many append misses none, and gets none twice",
    async ({ events }, owner) => {
      const [writers, each] = [6, 25];
      let isOver = false;
      const following = follow(events, owner, () => isOver);
      await Promise.all(
        Array.from({ length: writers }, async (_, writer) => {
          for (let n = 0; n < each; n += 1) {
            await events.append(Array.from({ length: 1 + (n % 3) }, () => event(owner, writer * each + n)));
          }
        }),
      );
      isOver = true;
      const seen = await following;
      assert(isGrowing(seen), "they were seen in order");
      assertSame(seen, await events.read({ owner, after: 0 }), "what was seen");
      assertSame(
        new Set(seen.map(({ data }) => (data as { n: number }).n)).size,
        writers * each,
        "of how many appends",
      );
    },
  ],
  [
    "events of before are swept, and numbers go on from where they were",
    async ({ events }, owner) => {
      await events.append([event(owner, 0)]);
      const [first] = await events.read({ owner, after: 0 });
      await events.sweep(first?.at ?? 0);
      assertSame((await events.read({ owner, after: 0 })).length, 1, "what is left of what is not so old");
      assert((await events.sweep((first?.at ?? 0) + 1)) >= 1, "one at least is swept");
      assertSame(await events.read({ owner, after: 0 }), [], "what is left");
      assert((await events.last()) >= (first?.sequence ?? 0), "the last number is still known");
      await events.append([event(owner, 1)]);
      const [next] = await events.read({ owner, after: first?.sequence ?? 0 });
      assertSame(next?.data, { n: 1 }, "the next one");
    },
  ],
];

/** Reads behind the last one that it saw, until it is over and nothing is left. */
async function follow(events: EventLog, owner: string, isOver: () => boolean): Promise<StoredEvent[]> {
  const seen: StoredEvent[] = [];
  for (;;) {
    const wasOver = isOver();
    const next = await events.read({ owner, after: seen.at(-1)?.sequence ?? 0, limit: 7 });
    seen.push(...next);
    if (wasOver && next.length === 0) return seen;
    // Some databases answer at once, and who waits for a lock would never have their turn.
    await new Promise<void>((resolve) => {
      setTimeout(resolve, 0);
    });
  }
}

function isGrowing(events: readonly StoredEvent[]): boolean {
  return events.every(({ sequence }, i) => sequence > (events[i - 1]?.sequence ?? 0));
}
