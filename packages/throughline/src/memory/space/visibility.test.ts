import fc from "fast-check";
import { expect, it } from "vitest";
import { cases } from "../../../test/cases.ts";
import type { Memory } from "../../ports/memory.ts";
import type { RecallHit } from "../memory-api.ts";
import { anyAct, CALLERS, World } from "../world.arbitrary.ts";

/** One word per visit that occurs nowhere else. */
const WORDS = CALLERS.map(({ userId }, at) => `${userId}word${at}`);

interface Caller {
  readonly userId: string;
  readonly projectId?: string;
}

it("each caller sees their own memories, those of their project and of the system, and none that are archived or ended", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyAct, { minLength: 5, maxLength: 25 }), async (acts) => {
      const world = await World.open();
      for (const [at, word] of WORDS.entries()) await sayWord(world, at, word);
      // Memories that a caller shares on purpose are visible to others, so changes of scope are skipped.
      for (const one of acts) if (one.kind !== "update" || one.patch.scope === undefined) await world.attempt(one);
      for (const at of CALLERS.keys()) await checkVisible(world, at);
    }),
    { numRuns: cases(15) },
  );
});

async function sayWord(world: World, at: number, word: string): Promise<void> {
  const { memory } = world.visitor(at);
  await memory.remember({ text: `The ${word} build takes 5 minutes` });
  await memory.remember({ text: `The ${word} build takes 9 minutes` });
  await memory.ingest({ sessionId: "s", messages: [{ role: "user", text: `We deploy ${word} with make.` }] });
}

async function checkVisible(world: World, at: number): Promise<void> {
  const { memory } = world.visitor(at);
  const visit: Caller = CALLERS[at] as Caller;
  const hits = await memory.recall(`build live like ${WORDS.join(" ")}`, { cut: "none", limit: 200 });
  const listed = await memory.list({ all: true, limit: 1_000 });
  const exported = await memory.export();
  checkCurrent(hits, world.clock.now());
  for (const one of [...listed, ...exported.memories, ...hits.flatMap((hit) => hit.memory ?? [])]) checkOwn(one, visit);
  const rest = [
    await memory.journal({ limit: 1_000 }),
    await memory.contradictions(),
    await memory.export({ format: "markdown" }),
  ];
  checkWords(JSON.stringify([hits, listed, exported, ...rest]), visit);
  const ids = [...(await world.standing()).keys()].map((place) => place.slice(place.indexOf(" ") + 1));
  for (const id of ids) expect((await memory.get(id)) !== undefined).toBe(listed.some((one) => one.id === id));
  const each = await Promise.all(ids.map((id) => memory.get(id)));
  expect(await memory.get(ids)).toEqual(each.filter((one) => one !== undefined));
}

function checkCurrent(hits: readonly RecallHit[], now: number): void {
  for (const memory of hits.flatMap((hit) => hit.memory ?? [])) {
    expect(memory.archivedAt).toBeUndefined();
    expect(memory.validTo ?? Number.POSITIVE_INFINITY).toBeGreaterThan(now);
  }
}

function checkOwn({ scope, owner, projectId }: Memory, visit: Caller): void {
  if (scope === "user-private") expect(owner).toBe(visit.userId);
  if (scope === "project-shared") expect(projectId).toBe(visit.projectId);
  expect([undefined, visit.projectId]).toContain(projectId);
}

function checkWords(seen: string, visit: Caller): void {
  for (const [other, word] of WORDS.entries()) {
    const { userId, projectId }: Caller = CALLERS[other] as Caller;
    const isOwn = userId === visit.userId && (projectId === undefined || projectId === visit.projectId);
    expect([word, seen.includes(word)]).toEqual([word, isOwn]);
  }
}
