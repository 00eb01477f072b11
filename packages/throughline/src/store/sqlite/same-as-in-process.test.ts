import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StoreError } from "../../errors/store-error.ts";
import type { Message } from "../../message/message.ts";
import { omitUndefined } from "../../message/read-json.ts";
import type { SessionSummary, Store } from "../../ports/store.ts";
import { compaction, receipt, withParts } from "../../test/samples.ts";
import { inProcessStore } from "../in-process.ts";
import { sqliteStore } from "./sqlite-store.ts";

type Call = (store: Store) => Promise<unknown>;

// Few names and small numbers, so that they meet: taken ids, wrong places, stale revisions, other holders.
const name = fc.constantFrom("a", "b", "c", "d", "a\0", "");
const names = fc.array(name, { maxLength: 4 });
const number = fc.nat({ max: 4 });
const key = fc.record({ owner: fc.constantFrom("ann", "bob"), sessionId: fc.constantFrom("s", "t", "") });
const messages: fc.Arbitrary<Message[]> = fc.array(
  fc.tuple(name, fc.array(name, { maxLength: 2 })).map(([id, parts]) =>
    withParts(
      { owner: "", sessionId: "s" },
      id,
      parts.map((part) => ({ id: part, type: "text", text: part })),
    ),
  ),
  { maxLength: 3 },
);
const marks = fc.array(fc.tuple(name, number), { maxLength: 3 }).map((entries) => new Map(entries));
const commit = fc.record(
  {
    revision: number,
    state: fc.jsonValue().map((value) => ({ value: JSON.parse(JSON.stringify(value)) })),
    compactions: names.map((ids) => ids.map((id, i) => compaction(id, i))),
    receipts: names.map((ids) => ids.map((id) => receipt(id))),
    marks,
  },
  { requiredKeys: ["revision"] },
);

const call: fc.Arbitrary<Call> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(key, number, messages).map(toCall(({ messages }, ...args) => messages.append(...args))),
  },
  { weight: 5, arbitrary: fc.tuple(key, commit).map(toCall(({ sessions }, ...args) => sessions.commit(...args))) },
  fc.tuple(key, number, number).map(toCall(({ messages }, ...args) => messages.range(...args))),
  fc.tuple(key, names).map(toCall(({ messages }, ...args) => messages.byId(...args))),
  fc.tuple(key, name).map(toCall(({ messages }, ...args) => messages.holding(...args))),
  fc
    .tuple(key, fc.record({ messages: names, parts: names }))
    .map(toCall(({ messages }, ...args) => messages.taken(...args))),
  fc.tuple(key).map(toCall(({ messages }, ...args) => messages.marks(...args))),
  fc.tuple(key).map(toCall(({ sessions }, ...args) => sessions.head(...args))),
  fc.tuple(key).map(toCall(({ sessions }, ...args) => sessions.state(...args))),
  fc
    .tuple(key, fc.option(names, { nil: undefined }))
    .map(toCall(({ sessions }, k, ids) => sessions.compactions(k, ids))),
  fc.tuple(key, number).map(toCall(({ sessions }, ...args) => sessions.receipts(...args))),
  fc.tuple(key, name, fc.constant(600_000)).map(toCall(({ sessions }, ...args) => sessions.acquire(...args))),
  fc.tuple(key, name).map(toCall(({ sessions }, ...args) => sessions.release(...args))),
  fc.tuple(key).map(toCall(({ sessions }, ...args) => sessions.purge(...args))),
  fc
    .tuple(fc.constantFrom("ann", "bob"), fc.option(fc.constantFrom("", "s", "t"), { nil: undefined }))
    .map(
      toCall(async ({ sessions }, owner, after) => withoutTimes(await sessions.list(owner, omitUndefined({ after })))),
    ),
);

describe("a SQLite store", () => {
  it("answers as the store in the process does, whatever is asked in whatever order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 5, maxLength: 40 }), async (calls) => {
        const [sqlite, inProcess] = [sqliteStore(":memory:"), inProcessStore()];
        for (const one of calls) expect(await answer(sqlite, one)).toEqual(await answer(inProcess, one));
        await sqlite.close();
      }),
      { numRuns: 500 },
    );
  });
});

function toCall<Args extends unknown[]>(use: (store: Store, ...args: Args) => Promise<unknown>) {
  return (args: Args): Call => {
    const ask: Call = (store) => use(store, ...args);
    // What fast-check shows of a case that fails.
    return Object.assign(ask, { toString: () => `${use} of ${JSON.stringify(args)}` });
  };
}

function withoutTimes(sessions: readonly SessionSummary[]): unknown {
  return sessions.map(({ createdAt: _, updatedAt: __, ...rest }) => rest);
}

async function answer(store: Store, ask: Call): Promise<unknown> {
  try {
    return await ask(store);
  } catch (error) {
    if (error instanceof StoreError) return { problem: error.problem };
    throw error;
  }
}
