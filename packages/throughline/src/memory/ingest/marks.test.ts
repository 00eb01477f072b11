import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../test/cases.ts";
import { UndoRefusedError } from "../../errors/memory-errors.ts";
import { type OpenMemory, openMemory } from "../open-memory.fixture.ts";
import { unpackEntry } from "../search/search-entry.ts";

const SPACE = "user:local";
const TEXTS = [
  "The launch review is on Tuesday at 3pm.",
  "The launch review has been moved to Thursday at 10am.",
  "The launch review is cancelled.",
  "I live in Rome.",
  "I no longer live in Rome, I moved to Oslo.",
  "The team uses MySQL.",
  "Good morning!",
];

const anyAct = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("say" as const), text: fc.constantFrom(...TEXTS), session: fc.nat(1) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("tell" as const), value: fc.constantFrom("MySQL", "SQLite") }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("undo" as const), which: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("purge" as const), which: fc.nat(30) }) },
);
type Act = typeof anyAct extends fc.Arbitrary<infer T> ? T : never;

async function perform({ memory }: OpenMemory, act: Act): Promise<void> {
  if (act.kind === "say") {
    await memory.ingest({ sessionId: `s${act.session}`, messages: [{ role: "user", text: act.text }] });
  }
  if (act.kind === "tell") {
    await memory.remember({ text: `The team uses ${act.value}`, key: "db", value: act.value });
  }
  if (act.kind === "undo") {
    const { id } = (await memory.journal())[act.which] ?? {};
    if (id !== undefined) await memory.undo(id).catch(refusedOnly);
  }
  if (act.kind === "purge") {
    const { turns, memories } = await memory.export();
    const all = [...turns, ...memories];
    const { id } = all[act.which % Math.max(1, all.length)] ?? {};
    if (id !== undefined) await memory.purge(id);
  }
}

function refusedOnly(error: unknown): void {
  if (!(error instanceof UndoRefusedError)) throw error;
}

async function checkMarks({ memory, store }: OpenMemory): Promise<void> {
  const { turns, memories } = await memory.export();
  const there = new Set([...turns, ...memories].map(({ id }) => id));
  for (const { id, marks = [], staleSince } of turns) {
    for (const { by = "" } of marks) expect(there).toContain(by);
    const [{ entry } = { entry: new Uint8Array() }] = await store.memories.get(SPACE, "entries", [id]);
    const { validTo, isMarked } = unpackEntry(entry);
    expect([validTo, isMarked]).toEqual([staleSince, marks.length > 0]);
  }
}

describe("after any sequence of ingest, undo and purge", () => {
  it("every mark has its cause, and the search index matches the marks", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyAct, { minLength: 3, maxLength: 14 }), async (acts) => {
        const opened = await openMemory();
        for (const act of acts) {
          opened.clock.pass(1_000);
          await perform(opened, act);
          await checkMarks(opened);
        }
      }),
      { numRuns: cases(15) },
    );
  });
});
