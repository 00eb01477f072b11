import fc from "fast-check";
import { ThroughlineError } from "../errors/throughline-error.ts";
import { DAY } from "../internal/time.ts";
import type { Contradiction, FactCategory, Memory, MemoryScope, Resolution, Utterance } from "../ports/memory.ts";
import { inProcessStore } from "../store/in-process.ts";
import { MAX_CHAT_FACTS, MAX_PINNED } from "./facts/fact-rules.ts";
import { factOf } from "./facts/memory.arbitrary.ts";
import type { MemoryPatch, RememberInput } from "./memory-api.ts";
import { type OpenMemory, openMemory, START, StandingClock } from "./open-memory.fixture.ts";
import { writeExport } from "./transfer/memory-export.ts";

/** The users and projects that act on the store. */
export const CALLERS = [
  { userId: "ada", projectId: "shop" },
  { userId: "ada", projectId: "blog" },
  { userId: "ada" },
  { userId: "bob", projectId: "shop" },
  { userId: "bob" },
  { userId: "eve", projectId: "blog" },
] as const;

const SCOPES: MemoryScope[] = ["user-private", "user-private", "user-private", "project-shared", "system"];
const CITIES = ["Rome", "Oslo", "Bern", "Rome, Italy"];
const TEXTS = [
  ...CITIES.map((city) => `User lives in ${city}`),
  ...["MySQL", "PostgreSQL", "SQLite"].map((name) => `We use ${name}`),
  ...["tea", "coffee", "green tea"].flatMap((what) => [`User likes ${what}`, `User hates ${what}`]),
  "User no longer lives in Oslo",
  "The build takes 5 minutes",
  "The build takes 50 minutes",
  "We deploy on Fridays",
  "We do not deploy on Fridays",
];

const who = fc.nat(CALLERS.length - 1);
const which = fc.nat(40);
const category = fc.constantFrom<(FactCategory | undefined)[]>(undefined, "identity", "preference", "project");
const messageId = fc.constantFrom("m1", "m2", "m3", "m4");

const remember = fc.record({
  kind: fc.constant("remember" as const),
  who,
  text: fc.constantFrom(...TEXTS),
  category,
  pinned: fc.boolean(),
  scope: fc.constantFrom(...SCOPES),
  validFrom: fc.option(fc.integer({ min: -30, max: 5 }), { nil: undefined }),
  messageId: fc.option(messageId, { nil: undefined }),
});
const patch = fc.oneof(
  fc.constantFrom<MemoryPatch[]>(
    { pinned: true },
    { pinned: false },
    { archived: true },
    { archived: false },
    { validTo: null },
    { category: null },
    { category: "project" },
    { key: "residence", value: "Lima" },
    { key: null },
    { scope: "user-private" },
    { scope: "project-shared" },
    { scope: "system" },
    { aliases: ["other"] },
  ),
  fc.constantFrom(...TEXTS).map((text): MemoryPatch => ({ text })),
  fc.integer({ min: -30, max: 5 }).map((days): MemoryPatch => ({ validFrom: days })),
);
const act = <K extends string>(kind: K) => fc.record({ kind: fc.constant(kind), who, which });

/** One operation of one visitor. */
export const anyAct = fc.oneof(
  { weight: 8, arbitrary: remember },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("update" as const), who, which, patch }) },
  { weight: 2, arbitrary: act("forget") },
  { weight: 1, arbitrary: act("cite") },
  { weight: 1, arbitrary: act("recall") },
  { weight: 1, arbitrary: act("consolidate") },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("ingest" as const),
      who,
      text: fc.constantFrom(
        "I live in Rome. I love tea.",
        "I hate coffee.",
        "I moved to Bern.",
        "No, I moved to Oslo.",
      ),
      messageId: fc.option(messageId, { nil: undefined }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("resolve" as const),
      who,
      which,
      resolution: fc.constantFrom<Resolution[]>("a_wins", "b_wins", "both_valid", "merged"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("pass" as const), days: fc.integer({ min: 0, max: 40 }) }) },
);
export type Act = typeof anyAct extends fc.Arbitrary<infer T> ? T : never;

/** State of a store by space and id: memories without usage counts, contradictions, and turns. */
export type Standing = ReadonlyMap<string, Memory | Contradiction | Utterance>;

/** A store with all its visitors. */
export class World {
  readonly clock = new StandingClock();
  readonly store = inProcessStore(this.clock);
  readonly visitors: OpenMemory[] = [];

  /** If full, Ada has the maximum number of facts outside of projects, and all pins but one are used. */
  static async open(isFull = false): Promise<World> {
    const world = new World();
    for (const caller of CALLERS)
      world.visitors.push(await openMemory({ ...caller, store: world.store, clock: world.clock }));
    if (isFull) await world.visitors.find((_, at) => !("projectId" in (CALLERS[at] ?? {})))?.memory.import(manyFacts());
    return world;
  }

  visitor(at: number): OpenMemory {
    return this.visitors[at] as OpenMemory;
  }

  /** State of all spaces, by space and id. */
  async standing(): Promise<Standing> {
    const all = new Map<string, Memory | Contradiction | Utterance>();
    for (const space of await this.store.memories.spaces()) {
      for (const { usage: _, ...memory } of await this.store.memories.list(space, "memories"))
        all.set(`${space} ${memory.id}`, memory as Memory);
      for (const one of await this.store.memories.list(space, "contradictions")) all.set(`${space} ${one.id}`, one);
      for (const turn of await this.store.memories.list(space, "turns", { sessionId: "s" }))
        all.set(`${space} turn ${turn.id}`, turn);
    }
    return all;
  }

  /** Ids of the journal entries of all spaces, oldest first. */
  async journal(): Promise<readonly string[]> {
    const found = new Set<string>();
    for (const space of await this.store.memories.spaces()) {
      const entries = await this.store.memories.list(space, "journal", { limit: 10_000 });
      for (const { id } of entries.toReversed()) found.add(id);
    }
    return [...found];
  }

  /** Performs an operation. Only errors of the library may refuse it. */
  async attempt(one: Act): Promise<void> {
    try {
      await this.#perform(one);
    } catch (error) {
      if (!ThroughlineError.isInstance(error)) throw error;
    }
  }

  async #perform(one: Act): Promise<void> {
    if (one.kind === "pass") {
      this.clock.pass(one.days * DAY);
      return;
    }
    // Some operations happen at the same millisecond.
    this.clock.pass(one.who % 2);
    const { memory } = this.visitor(one.who);
    if (one.kind === "remember") await memory.remember(this.#input(one));
    if (one.kind === "ingest") {
      const message = { role: "user", text: one.text, ...(one.messageId && { id: one.messageId }) };
      await memory.ingest({ sessionId: "s", messages: [message] });
    }
    if (one.kind === "consolidate") await memory.consolidate();
    if (one.kind === "recall") await memory.recall("where does the user live and what do they like", { cut: "none" });
    if (!("which" in one)) return;
    const all = await memory.list({ all: true, limit: 1_000 });
    const chosen = all[one.which % Math.max(1, all.length)];
    if (chosen !== undefined && one.kind === "update") await memory.update(chosen.id, this.#patch(one.patch));
    if (chosen !== undefined && one.kind === "forget") await memory.forget(chosen.id);
    if (chosen !== undefined && one.kind === "cite") await memory.cite(chosen.id, { query: `zork${one.which % 3}` });
    if (one.kind === "resolve") {
      const open = await memory.contradictions({ status: "open" });
      const found = open[one.which % Math.max(1, open.length)];
      if (found !== undefined) await memory.resolve(found.id, { resolution: one.resolution });
    }
  }

  #input({
    text,
    category: named,
    pinned,
    scope,
    validFrom,
    messageId: id,
    who: at,
  }: Act & { kind: "remember" }): RememberInput {
    const caller = CALLERS[at] as (typeof CALLERS)[number];
    return {
      text,
      pinned,
      ...(named && { category: named }),
      scope: scope === "project-shared" && !("projectId" in caller) ? "user-private" : scope,
      ...(validFrom !== undefined && { validFrom: this.clock.now() + validFrom * DAY }),
      ...(id && { source: { sessionId: "s", messageId: id } }),
    };
  }

  #patch(given: MemoryPatch): MemoryPatch {
    const { validFrom } = given;
    return typeof validFrom === "number" ? { ...given, validFrom: this.clock.now() + validFrom * DAY } : given;
  }
}

function manyFacts(): unknown {
  const memories = Array.from({ length: MAX_CHAT_FACTS }, (_, n) => {
    const times = { createdAt: START - n, lastSeenAt: START - n * 1_000_000, validFrom: START - n };
    return factOf(`User likes colour-${n}`, { id: `mem_many${n}`, ...times, pinned: n < MAX_PINNED - 1 });
  });
  return writeExport({ exportedAt: START, memories, turns: [], contradictions: [] });
}
