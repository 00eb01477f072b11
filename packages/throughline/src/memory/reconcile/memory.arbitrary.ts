import fc from "fast-check";
import { omitUndefined } from "../../internal/json.ts";
import type { Memory } from "../../ports/memory.ts";

/** A memory with this text and default values. */
export function memoryOf(id: string, text: string, more: Partial<Memory> = {}): Memory {
  return {
    id,
    kind: "fact",
    levels: { full: text, summary: text, compressed: text, index: id },
    aliases: [],
    confidence: 0.75,
    mentions: 1,
    pinned: false,
    byHand: false,
    owner: "ana",
    scope: "user-private",
    createdAt: 10,
    lastSeenAt: 10,
    validFrom: 10,
    usage: { retrieved: 0, cited: 0, ignored: 0 },
    source: {},
    artifacts: [],
    links: [],
    ...more,
  };
}

const time = fc.integer({ min: 0, max: 1_000 });
const ids = fc.array(fc.constantFrom("x", "y", "a", "b"), { maxLength: 3 });

/** Any memory with this id. */
export function anyMemory(id: string): fc.Arbitrary<Memory> {
  return fc
    .record({
      text: fc.string({ maxLength: 20 }),
      key: fc.option(fc.constantFrom("db", "editor"), { nil: undefined }),
      value: fc.option(fc.string({ maxLength: 5 }), { nil: undefined }),
      aliases: ids,
      links: ids,
      confidence: fc.double({ min: 0, max: 1, noNaN: true }),
      mentions: fc.integer({ min: 1, max: 9 }),
      pinned: fc.boolean(),
      owner: fc.constantFrom("ana", "bob"),
      scope: fc.constantFrom("user-private" as const, "project-shared" as const, "system" as const),
      lastSeenAt: time,
      validFrom: time,
      ended: fc.option(time, { nil: undefined }),
      supersedes: fc.option(fc.constant("old"), { nil: undefined }),
    })
    .map(({ text, ended, ...fields }) => {
      const validTo = ended === undefined ? undefined : fields.validFrom + ended;
      return memoryOf(id, text, omitUndefined({ ...fields, validTo }));
    });
}
