import fc from "fast-check";
import { omitUndefined } from "../../internal/json.ts";
import type { Contradiction, Memory, Utterance } from "../../ports/memory.ts";
import type { JournalEntry } from "../../ports/memory-store.ts";
import { type MemoryExport, writeExport } from "./memory-export.ts";

const time = fc.integer({ min: 0, max: 4_102_444_800_000 });
const count = fc.nat(1_000);
/** Arbitrary text, including line breaks, quotation marks, lone surrogates and names of object properties. */
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom("__proto__", "constructor", "# Heading", "<script>", "- item", "\ud800"),
);
const name = text.filter((each) => each !== "");

function maybe<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(arbitrary, { nil: undefined });
}

/** A memory with this id and arbitrary content. */
function anyExportedMemory(id: string): fc.Arbitrary<Memory> {
  return fc
    .record({
      id: fc.constant(id),
      kind: fc.constantFrom("fact" as const, "episode" as const, "pattern" as const, "workflow" as const),
      levels: fc.record({ full: text, summary: text, compressed: text, index: text }),
      key: maybe(text),
      value: maybe(text),
      subject: maybe(text),
      aliases: fc.array(text, { maxLength: 3 }),
      category: maybe(fc.constantFrom("identity" as const, "preference" as const, "project" as const)),
      confidence: fc.double({ min: 0, max: 1, noNaN: true }).map((each) => each + 0),
      mentions: count,
      pinned: fc.boolean(),
      byHand: fc.boolean(),
      owner: text,
      projectId: maybe(text),
      scope: fc.constantFrom("user-private" as const, "project-shared" as const, "system" as const),
      createdAt: time,
      lastSeenAt: time,
      validFrom: time,
      validTo: maybe(time),
      archivedAt: maybe(time),
      reviewedAt: maybe(time),
      supersededBy: maybe(name),
      usage: fc
        .record({ retrieved: count, cited: count, ignored: count, lastAccessedAt: maybe(time) })
        .map((usage) => omitUndefined(usage)),
      heard: maybe(
        fc.dictionary(
          fc.string({ maxLength: 5 }).filter((word) => word !== "__proto__"),
          count,
          { maxKeys: 2, noNullPrototype: true },
        ),
      ),
      earlierSources: maybe(fc.constant([{ sessionId: "s0", at: 3 }])),
      source: fc
        .record({
          sessionId: maybe(text),
          messageId: maybe(text),
          speaker: maybe(text),
          at: maybe(time),
          quote: maybe(text),
        })
        .map((source) => omitUndefined(source)),
      artifacts: fc.array(
        fc.record({
          type: fc.constantFrom("commit" as const, "pr" as const, "adr" as const, "file" as const),
          ref: text,
        }),
        { maxLength: 2 },
      ),
      links: fc.array(name, { maxLength: 2 }),
    })
    .map((memory): Memory => omitUndefined(memory));
}

function anyTurn(position: number): fc.Arbitrary<Utterance> {
  return fc
    .record({
      id: fc.constant(`t${position}`),
      sessionId: text,
      position: fc.constant(position),
      messageId: maybe(text),
      role: fc.constantFrom("user", "assistant"),
      speaker: maybe(text),
      text: text.map((each) => `${each} and more`),
      at: maybe(time),
      createdAt: time,
      owner: text,
      projectId: maybe(text),
      staleSince: maybe(time),
      staleSpans: maybe(fc.constant([{ start: 0, end: 3, since: 5 }])),
      marks: maybe(fc.constant([{ by: "t9", since: 5, spans: [{ start: 0, end: 3 }] }, { since: 7 }])),
      synthetic: maybe(fc.constant(true as const)),
      pending: maybe(text.map((each) => [{ text: each, updatesPrevious: true as const, source: { quote: each } }])),
    })
    .map((turn): Utterance => omitUndefined(turn));
}

function anyContradiction(id: string, ids: readonly string[]): fc.Arbitrary<Contradiction> {
  return fc
    .record({
      id: fc.constant(id),
      memoryA: fc.constantFrom(...ids),
      memoryB: fc.constantFrom(...ids),
      detectedAt: time,
      reason: text,
      status: fc.constantFrom("open" as const, "resolved" as const),
      resolvedAt: maybe(time),
      resolution: maybe(fc.constantFrom("a_wins" as const, "merged" as const)),
      note: maybe(text),
    })
    .map((contradiction): Contradiction => omitUndefined(contradiction));
}

function anyJournal(memories: readonly Memory[], turns: readonly Utterance[]): fc.Arbitrary<JournalEntry[]> {
  const changes = [
    ...memories.slice(0, 1).map((before) => ({ kind: "memory" as const, id: before.id, before, after: "digest" })),
    ...turns.slice(0, 1).map((before) => ({ kind: "turn" as const, id: before.id, before, after: "digest" })),
  ];
  return fc.array(
    fc.record({
      id: fc.uuid(),
      at: time,
      action: fc.constantFrom("remember", "forget"),
      changes: fc.constant(changes),
    }),
    { maxLength: 2 },
  );
}

/** A valid export with arbitrary content. */
export const anyExport: fc.Arbitrary<MemoryExport> = fc
  .tuple(fc.uniqueArray(name, { minLength: 1, maxLength: 4 }), fc.nat(3))
  .chain(([ids, turns]) =>
    fc.tuple(
      fc.tuple(...ids.map(anyExportedMemory)),
      fc.tuple(...Array.from({ length: turns }, (_, position) => anyTurn(position))),
      fc.tuple(anyContradiction("c1", ids), anyContradiction("c2", ids)),
    ),
  )
  .chain(([memories, turns, contradictions]) =>
    fc.tuple(fc.constant({ memories, turns, contradictions }), maybe(anyJournal(memories, turns)), time, maybe(text)),
  )
  .map(([content, journal, exportedAt, owner]) =>
    writeExport(omitUndefined({ ...content, journal, exportedAt, owner })),
  );
