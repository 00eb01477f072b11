import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../test/cases.ts";
import { StoreError } from "../../errors/store-errors.ts";
import { omitUndefined } from "../../internal/json.ts";
import type { Message } from "../../message/message.ts";
import type { MemoryCommit, MemoryFilter, StoredMemory } from "../../ports/memory-store.ts";
import type { SessionSummary, Store } from "../../ports/store.ts";
import {
  change,
  compaction,
  contradiction,
  entry,
  journalEntry,
  memory,
  receipt,
  turn,
  withParts,
} from "../../test/samples.ts";
import { inProcessStore } from "../in-process.ts";
import { type SqliteStoreOptions, sqliteStore } from "./sqlite-store.ts";

type Call = (store: Store) => Promise<unknown>;

// Few names and small numbers, so that conflicts occur: duplicate ids, wrong positions, stale revisions, other holders.
const name = fc.constantFrom("a", "b", "c", "d", "a\0", "");
const names = fc.array(name, { maxLength: 4 });
const number = fc.nat({ max: 4 });
const key = fc.record({ userId: fc.constantFrom("ann", "bob"), sessionId: fc.constantFrom("s", "t", "") });
const messages: fc.Arbitrary<Message[]> = fc.array(
  fc.tuple(name, fc.array(name, { maxLength: 2 })).map(([id, parts]) =>
    withParts(
      { userId: "", sessionId: "s" },
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
  fc.tuple(key, number, number).map(toCall(({ messages }, k, from, limit) => messages.list(k, { from, limit }))),
  fc.tuple(key, names).map(toCall(({ messages }, ...args) => messages.get(...args))),
  fc.tuple(key, names).map(toCall(({ messages }, k, parts) => messages.list(k, { parts }))),
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
  fc.tuple(key, name, fc.constant(600_000)).map(toCall(({ sessions }, ...args) => sessions.lease(...args))),
  fc.tuple(key, name).map(toCall(({ sessions }, ...args) => sessions.lease(...args, 0))),
  fc.tuple(key).map(toCall(({ sessions }, ...args) => sessions.purge(...args))),
  fc
    .tuple(fc.constantFrom("ann", "bob"), fc.option(fc.constantFrom("", "s", "t"), { nil: undefined }))
    .map(
      toCall(async ({ sessions }, userId, after) =>
        withoutTimes(await sessions.list(userId, omitUndefined({ after }))),
      ),
    ),
);

// The same for memories.
const space = fc.constantFrom("user:ann", "user:bob");
const time = fc.option(number, { nil: undefined });
const someMemory = fc
  .record({
    id: name,
    key: fc.option(name, { nil: undefined }),
    category: fc.constantFrom("identity" as const, undefined),
    mentions: number,
    validTo: time,
    archivedAt: time,
    supersedes: fc.option(name, { nil: undefined }),
    sessionId: fc.option(name, { nil: undefined }),
    links: names,
    artifacts: names,
  })
  .map(({ id, sessionId, artifacts, ...fields }) =>
    memory(id, {
      ...omitUndefined(fields),
      source: omitUndefined({ sessionId }),
      artifacts: artifacts.map((ref) => ({ type: "file", ref })),
    }),
  );
const handles = fc.record({ slot: name, fingerprint: name }, { requiredKeys: ["fingerprint"] });
const someStored: fc.Arbitrary<StoredMemory> = fc
  .tuple(someMemory, handles)
  .map(([one, handle]) => ({ memory: one, ...handle }));
const someTurn = fc.tuple(name, name, number).map(([id, sessionId, position]) => turn(id, sessionId, position));
const someEntry = fc.tuple(name, fc.constantFrom("old", "new", undefined)).map(([id, embedder]) => entry(id, embedder));
const someConflict = fc
  .tuple(name, name, name, number, fc.constantFrom("open" as const, "resolved" as const))
  .map(([id, a, b, detectedAt, status]) => contradiction(id, a, b, { detectedAt, status }));
const someChange = fc.oneof(
  fc.tuple(name, fc.option(someMemory, { nil: undefined })).map(([id, before]) => change(id, before)),
  fc
    .tuple(name, fc.option(someConflict, { nil: undefined }))
    .map(([id, before]) => omitUndefined({ kind: "contradiction" as const, id, before, after: "x" })),
);
const someJournal = fc.tuple(fc.nat({ max: 20 }), fc.array(someChange, { maxLength: 3 }));
const memoryCommit: fc.Arbitrary<MemoryCommit> = fc.record(
  {
    revision: number,
    memories: fc.array(someStored, { maxLength: 3 }),
    turns: fc.array(someTurn, { maxLength: 3 }),
    entries: fc.array(someEntry, { maxLength: 3 }),
    contradictions: fc.array(someConflict, { maxLength: 2 }),
    journal: fc
      .array(someJournal, { maxLength: 2 })
      .map((all) => all.map(([id, changes]) => journalEntry(`j${id}`, changes))),
  },
  { requiredKeys: ["revision"] },
);
const page = fc.record({ after: name, limit: number }, { requiredKeys: [] });
const matchAny = fc.record({ slots: names, fingerprints: names }, { requiredKeys: [] });
const filter: fc.Arbitrary<MemoryFilter> = fc
  .tuple(
    page,
    fc.record({ current: fc.boolean(), categorized: fc.boolean(), sessionId: name, matchAny }, { requiredKeys: [] }),
  )
  .map(([where, what]) => ({ ...where, ...what }));
const conflictFilter = fc.record(
  { status: fc.constantFrom("open" as const, "resolved" as const), of: names },
  { requiredKeys: [] },
);
const journalIds = fc.array(fc.nat({ max: 20 }), { maxLength: 3 }).map((ids) => ids.map((id) => `j${id}`));

const memoryStoreCall: fc.Arbitrary<Call> = fc.oneof(
  // On the current revision or another one.
  {
    weight: 12,
    arbitrary: fc.tuple(space, memoryCommit, fc.boolean()).map(
      toCall(async ({ memories }, at, commit, isStale) => {
        const revision = isStale ? commit.revision : (await memories.head(at)).revision;
        return memories.commit(at, { ...commit, revision });
      }),
    ),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(space, fc.record({ memories: names, turns: names }))
      .map(toCall(({ memories }, ...args) => memories.erase(...args))),
  },
  fc.tuple(space).map(toCall(({ memories }, ...args) => memories.head(...args))),
  fc.tuple(space, names).map(toCall(({ memories }, ...args) => memories.get(args[0], "memories", args[1]))),
  fc.tuple(space, filter).map(toCall(({ memories }, ...args) => memories.list(args[0], "memories", args[1]))),
  fc
    .tuple(space, matchAny)
    .map(toCall(({ memories }, at, any) => memories.list(at, "memories", { current: true, matchAny: any }))),
  fc
    .tuple(space, names, fc.constantFrom("retrieved" as const, "cited" as const, "ignored" as const), number)
    .map(
      toCall(({ memories }, ...args) =>
        memories.record(args[0], { uses: { ids: args[1], use: args[2], at: args[3] } }),
      ),
    ),
  fc.tuple(space, names).map(toCall(({ memories }, ...args) => memories.get(args[0], "turns", args[1]))),
  fc
    .tuple(
      space,
      fc.oneof(
        fc.record({ after: name, limit: number }, { requiredKeys: [] }),
        fc.record(
          { sessionId: name, from: number, newestFirst: fc.boolean(), limit: number },
          { requiredKeys: ["sessionId"] },
        ),
      ),
    )
    .map(toCall(({ memories }, at, turns) => memories.list(at, "turns", turns))),
  fc
    .tuple(space, fc.record({ revision: number, id: name }, { requiredKeys: ["revision"] }), number)
    .map(toCall(({ memories }, ...args) => memories.list(args[0], "entries", { after: args[1], limit: args[2] }))),
  fc
    .tuple(space, fc.constantFrom("old", "new"), name, number)
    .map(
      toCall(({ memories }, ...args) =>
        memories.list(args[0], "entries", { withoutVectorOf: args[1], afterId: args[2], limit: args[3] }),
      ),
    ),
  fc.tuple(space, names).map(toCall(({ memories }, at, ids) => memories.get(at, "entries", ids))),
  fc.tuple(space, names).map(toCall(({ memories }, at, ids) => memories.get(at, "contradictions", ids))),
  fc.tuple(space, conflictFilter).map(toCall(({ memories }, at, what) => memories.list(at, "contradictions", what))),
  fc.tuple(space, journalIds).map(toCall(({ memories }, at, ids) => memories.get(at, "journal", ids))),
  fc.tuple(space, number).map(toCall(({ memories }, at, limit) => memories.list(at, "journal", { limit }))),
  fc.tuple(space, names).map(toCall(({ memories }, at, keys) => memories.get(at, "judgements", keys))),
  fc
    .tuple(space, fc.record({ key: name, memoryIds: names, contradicts: fc.boolean() }))
    .map(toCall(({ memories }, ...args) => memories.record(args[0], { judgements: [args[1]] }))),
  fc.tuple(space, name, name, fc.constant(600_000)).map(toCall(({ memories }, ...args) => memories.lease(...args))),
  fc.tuple(space, name, name).map(toCall(({ memories }, ...args) => memories.lease(...args, 0))),
  fc.tuple(space).map(toCall(({ memories }, at) => memories.list(at, "projects"))),
  fc.tuple(page).map(toCall(({ memories }, ...args) => memories.spaces(...args))),
);

/** Everything in a space. */
async function contentsOf({ memories: memoryStore }: Store, at: string): Promise<unknown> {
  return [
    await memoryStore.head(at),
    await memoryStore.list(at, "memories"),
    await memoryStore.get(at, "turns", ["a", "b", "c", "d", "a\0", ""]),
    await memoryStore.list(at, "entries", { limit: 100 }),
    await memoryStore.list(at, "contradictions"),
    await memoryStore.list(at, "journal", { limit: 100 }),
  ];
}

const KINDS: [name: string, options: SqliteStoreOptions, numRuns: number][] = [
  ["a SQLite store", {}, cases(60)],
  ["an encrypted SQLite store", { encryptionKey: "0f".repeat(32) }, cases(10)],
];

describe.each(KINDS)("%s", (_, options, numRuns) => {
  it("keeps memories like the in-process store, for any calls in any order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(memoryStoreCall, { minLength: 5, maxLength: 40 }), async (calls) => {
        const [sqlite, inProcess] = [sqliteStore(":memory:", options), inProcessStore()];
        for (const one of calls) expect(await answer(sqlite, one)).toEqual(await answer(inProcess, one));
        for (const at of ["user:ann", "user:bob"]) {
          expect(await contentsOf(sqlite, at)).toEqual(await contentsOf(inProcess, at));
        }
        await sqlite.close();
      }),
      { numRuns },
    );
  });

  it("answers like the in-process store, for any calls in any order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 5, maxLength: 40 }), async (calls) => {
        const [sqlite, inProcess] = [sqliteStore(":memory:", options), inProcessStore()];
        for (const one of calls) expect(await answer(sqlite, one)).toEqual(await answer(inProcess, one));
        await sqlite.close();
      }),
      { numRuns },
    );
  });
});

function toCall<Args extends unknown[]>(use: (store: Store, ...args: Args) => Promise<unknown>) {
  return (args: Args): Call => {
    const ask: Call = (store) => use(store, ...args);
    // Description for fast-check's failure report.
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
