import type { EventLog, NewEvent, StoredEvent } from "../../ports/server-store.ts";
import { assert, assertSame, type ServerFact } from "../conformance.ts";
import { HARD_TEXT } from "../samples.ts";

function event(owner: string, n: number, fields: Partial<NewEvent> = {}): NewEvent {
  return { owner, type: "turn", data: { n }, ...fields };
}

export const EVENT_FACTS: readonly ServerFact[] = [
  [
    "events round-trip in order, with increasing sequence numbers",
    async ({ events }, owner) => {
      const name = owner + HARD_TEXT;
      assertSame(await events.last([name]), new Map(), "the last sequence number of an owner without events");
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
      assert(isGrowing(read), "the sequence numbers increase");
      const last = read.at(-1)?.sequence ?? 0;
      assertSame(await events.last([name, owner, name]), new Map([[name, last]]), "the last sequence number");
      const large = event(name, 3, { data: "x".repeat(200_000) });
      await events.append([large]);
      const [next] = await events.read({ owner: name, after: last });
      assertSame(next?.data, large.data, "a large event");
    },
  ],
  [
    "events are appended in the transaction of another write, or not at all",
    async ({ events, answers }, owner) => {
      const claim = (key: string) => () => answers.claim(owner, key, "request", 60_000, "holder");
      assertSame(await events.appendWith([event(owner, 1)], claim("k")), "taken", "the result of the write");
      await events
        .appendWith([event(owner, 2)], async () => {
          await claim("l")();
          throw new Error("after the commit");
        })
        .catch(() => undefined);
      const read = await events.read({ owner, after: 0 });
      assertSame(
        read.map(({ data }) => (data as { n: number }).n),
        [1, 2],
        "the events of both commits",
      );
    },
  ],
  [
    "events are read after a sequence number, for one owner or one session",
    async ({ events }, owner) => {
      const all = Array.from({ length: 200 }, (_, n) => event(owner, n, n % 2 === 0 ? { sessionId: "s" } : {}));
      await events.append([event(`${owner}2`, -1, { sessionId: "s" }), ...all, event(`${owner}2`, -2)]);
      const numbers = (found: readonly StoredEvent[]) => found.map(({ data }) => (data as { n: number }).n);
      const read = await events.read({ owner, after: 0 });
      assertSame(
        numbers(read),
        all.map((_, n) => n),
        "the owner's events",
      );
      const after = read[99]?.sequence ?? 0;
      assertSame(
        numbers(await events.read({ owner, after, limit: 3 })),
        [100, 101, 102],
        "events after a sequence number",
      );
      assertSame(
        numbers(await events.read({ owner, sessionId: "s", after, limit: 2 })),
        [100, 102],
        "the session's events",
      );
      assertSame(
        await events.read({ owner, after: (await events.last([owner])).get(owner) ?? 0 }),
        [],
        "events after the last one",
      );
      assertSame(await events.read({ owner, after: 2 ** 52 }), [], "events after an unknown sequence number");
      assertSame(
        await events.read({ owner: `${owner}%`, after: 0 }),
        [],
        "events of an owner with a wildcard in its name",
      );
      assertSame(
        await events.read({ owner, sessionId: "%", after: 0 }),
        [],
        "events of a session with a wildcard in its name",
      );
    },
  ],
  [
    "a reader that follows concurrent appends gets each event exactly once",
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
      assert(isGrowing(seen), "the events arrived in order");
      assertSame(seen, await events.read({ owner, after: 0 }), "the events that were read");
      assertSame(
        new Set(seen.map(({ data }) => (data as { n: number }).n)).size,
        writers * each,
        "the number of appends",
      );
    },
  ],
  [
    "a sweep deletes old events, and sequence numbers continue",
    async ({ events }, owner) => {
      await events.append([event(owner, 0)]);
      const [first] = await events.read({ owner, after: 0 });
      await events.sweep(first?.at ?? 0);
      assertSame(
        (await events.read({ owner, after: 0 })).length,
        1,
        "the number of events that are newer than the limit",
      );
      assert((await events.sweep((first?.at ?? 0) + 1)) >= 1, "at least one is swept");
      assertSame(await events.read({ owner, after: 0 }), [], "the events after the sweep");
      assertSame((await events.last([owner])).get(owner), first?.sequence, "the last sequence number is kept");
      await events.append([event(owner, 1)]);
      const [next] = await events.read({ owner, after: first?.sequence ?? 0 });
      assertSame(next?.data, { n: 1 }, "the next event");
    },
  ],
];

/** Reads new events until the appends are over and a read returns none. */
async function follow(events: EventLog, owner: string, isOver: () => boolean): Promise<StoredEvent[]> {
  const seen: StoredEvent[] = [];
  for (;;) {
    const wasOver = isOver();
    const next = await events.read({ owner, after: seen.at(-1)?.sequence ?? 0, limit: 7 });
    seen.push(...next);
    if (wasOver && next.length === 0) return seen;
    // Yields to the event loop: with a synchronous database, the writers could not run otherwise.
    await new Promise<void>((resolve) => {
      setTimeout(resolve, 0);
    });
  }
}

function isGrowing(events: readonly StoredEvent[]): boolean {
  return events.every(({ sequence }, i) => sequence > (events[i - 1]?.sequence ?? 0));
}
