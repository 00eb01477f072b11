import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Contradiction, Memory } from "../../ports/memory.ts";
import { factOf, NOW } from "../facts/memory.arbitrary.ts";
import { planSharing } from "./share-facts.ts";

const PROJECT = { projectId: "p", subject: "project", category: "project" as const };

function said(owner: string, text: string, more: Partial<Memory> = {}): Memory {
  const source = { sessionId: `s-${owner}`, messageId: "m1", quote: "as I said, between us" };
  return factOf(text, { id: `${owner}: ${text}`, owner, ...PROJECT, source, ...more });
}

function share(
  facts: readonly Memory[],
  shared: readonly Memory[] = [],
  contradictions: readonly Contradiction[] = [],
) {
  let count = shared.length + contradictions.length;
  const newId = (kind: string) => `${kind}${count++}`;
  return planSharing({ projectId: "p", facts, shared, contradictions, now: NOW, newId });
}

describe("a fact that several users state about a project", () => {
  it("becomes one shared fact with speakers and sessions, but without quotes", () => {
    const ann = said("ann", "Project uses PostgreSQL", { mentions: 2, createdAt: NOW - 9, lastSeenAt: NOW - 5 });
    const { memories, contradictions } = share([said("bob", "The project uses Postgres."), ann]);
    expect(contradictions).toEqual([]);
    expect(memories).toHaveLength(1);
    expect(memories[0]).toMatchObject({
      id: "memory0",
      levels: ann.levels,
      scope: "project-shared",
      projectId: "p",
      owner: "ann",
      mentions: 3,
      confidence: 0.9,
      createdAt: NOW,
      lastSeenAt: NOW,
      pinned: false,
      links: [],
      source: { sessionId: "s-bob", messageId: "m1", speaker: "bob" },
      earlierSources: [{ sessionId: "s-ann", messageId: "m1", speaker: "ann" }],
    });
    expect(memories[0]).not.toHaveProperty("category");
    expect(JSON.stringify(memories)).not.toContain("between us");
  });

  it("is not shared if one user states it twice", () => {
    expect(
      share([said("ann", "Project uses Postgres", { id: "1" }), said("ann", "We use Postgres", { id: "2" })]),
    ).toEqual({
      memories: [],
      contradictions: [],
    });
  });

  it.each([
    ["is about a person", { subject: "user", category: "identity" as const }],
    ["is about something of a person", { subject: "user's wife" }],
    ["belongs to another project", { projectId: "q" }],
    ["belongs to no project", { projectId: "" }],
    ["is archived", { archivedAt: 1 }],
    ["has ended", { validTo: NOW - 1 }],
  ])("is not shared if it %s", (_, more) => {
    const facts = ["ann", "bob"].map((owner) => said(owner, "Coffee is strong", more));
    expect(share(facts).memories).toEqual([]);
  });

  it("updates an existing shared fact", () => {
    const [shared] = share([said("ann", "Tests run on Vitest"), said("bob", "Tests run on Vitest")]).memories;
    const facts = ["ann", "bob", "cy"].map((owner) => said(owner, "Tests run on Vitest"));
    const { memories } = share(facts, shared === undefined ? [] : [shared]);
    expect(memories).toMatchObject([{ id: shared?.id, mentions: 3, confidence: 1 }]);
  });

  it("is not shared again after the project archived it, unless it is mentioned again", () => {
    const facts = ["ann", "bob"].map((owner) => said(owner, "Tests run on Jest", { lastSeenAt: NOW - 9 }));
    const old = said("ann", "Tests run on Jest", { scope: "project-shared", id: "old", archivedAt: NOW - 5 });
    expect(share(facts, [old]).memories).toEqual([]);
    expect(
      share(
        facts.map((fact) => ({ ...fact, lastSeenAt: NOW })),
        [old],
      ).memories,
    ).toHaveLength(1);
  });
});

describe("different values by different users", () => {
  const mysql = said("ann", "Project uses MySQL", { key: "db", value: "MySQL" });
  const postgres = said("bob", "Project uses PostgreSQL", { key: "database", value: "PostgreSQL" });

  it("are both shared, with an open contradiction between them", () => {
    const { memories, contradictions } = share([mysql, postgres]);
    expect(memories.map(({ owner, value, scope }) => [owner, value, scope])).toEqual([
      ["ann", "MySQL", "project-shared"],
      ["bob", "PostgreSQL", "project-shared"],
    ]);
    expect(contradictions).toMatchObject([
      { memoryA: memories[0]?.id, memoryB: memories[1]?.id, status: "open", detectedAt: NOW },
    ]);
  });

  it("contradict an existing shared fact", () => {
    const shared = { ...mysql, id: "shared", scope: "project-shared" as const };
    const { memories, contradictions } = share([postgres], [shared]);
    expect(memories).toHaveLength(1);
    expect(contradictions).toMatchObject([{ memoryA: "shared", memoryB: memories[0]?.id }]);
  });

  it("are not shared if one user states both", () => {
    expect(share([mysql, { ...postgres, owner: "ann" }])).toEqual({ memories: [], contradictions: [] });
  });
});

describe("sharing", () => {
  const anyFact = fc
    .record({
      owner: fc.constantFrom("ann", "bob", "cy"),
      text: fc.constantFrom("Project uses MySQL", "Project uses Postgres", "Tests run on Vitest", "Tests never run"),
      mentions: fc.integer({ min: 1, max: 3 }),
      lastSeenAt: fc.integer({ min: 1, max: 5 }).map((days) => NOW - days),
    })
    .map(({ owner, text, ...more }) => said(owner, text, more));

  it("writes only shared facts, and nothing on a second run", () => {
    fc.assert(
      fc.property(fc.array(anyFact, { maxLength: 8 }), (list) => {
        const facts = list.map((fact, at) => ({ ...fact, id: `f${at}` }));
        const { memories, contradictions } = share(facts);
        expect(memories.every(({ scope, id }) => scope === "project-shared" && !id.startsWith("f"))).toBe(true);
        expect(share(facts, memories, contradictions)).toEqual({ memories: [], contradictions: [] });
      }),
    );
  });
});
