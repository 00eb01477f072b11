import { describe, expect, it } from "vitest";
import { DAY } from "../../internal/time.ts";
import { runSteps } from "../../internal/yield-to-event-loop.ts";
import type { Memory } from "../../ports/memory.ts";
import { factOf, NOW } from "../facts/memory.arbitrary.ts";
import { FactIndex } from "./fact-index.ts";
import { type ForgetOptions, forgetMemories } from "./forget-memories.ts";

const OLD = { createdAt: NOW - 91 * DAY, lastSeenAt: NOW - 91 * DAY };

/** A fact without a category, so not a chat fact. */
function plainFact(text: string, more: Partial<Memory> = {}): Memory {
  const { category: _, ...fact } = factOf(text, { ...OLD, ...more });
  return fact;
}

function forget(memories: readonly Memory[], more: Partial<ForgetOptions> = {}) {
  const index = runSteps(FactIndex.of(memories.filter(({ kind }) => kind === "fact")));
  const all = new Map(memories.map((memory) => [memory.id, memory]));
  return Object.fromEntries(forgetMemories([index], all, { now: NOW, isFixed: () => false, ...more }));
}

describe("a superseded memory", () => {
  const old = plainFact("User lives in Rome", { id: "a", validTo: NOW - DAY, supersededBy: "b" });

  it("is archived after its end", () => {
    expect(forget([old])).toEqual({ a: "superseded" });
    expect(forget([{ ...old, validTo: NOW + DAY }])).toEqual({});
  });

  it("is skipped if it is pinned, contradicted or already archived", () => {
    expect(forget([{ ...old, pinned: true }])).toEqual({});
    expect(forget([old], { isFixed: () => true })).toEqual({});
    expect(forget([{ ...old, archivedAt: 3 }])).toEqual({});
  });
});

describe("an unused fact", () => {
  it("stays if it belongs to a project", () => {
    const doubtful = { id: "a", mentions: 1, confidence: 0.5 };
    expect(forget([plainFact("The cache is warm", doubtful)])).toEqual({ a: "unused" });
    expect(forget([plainFact("The cache is warm", { ...doubtful, projectId: "shop" })])).toEqual({});
  });
});

describe("a chat fact", () => {
  const fact = (days: number, more: Partial<Memory> = {}) =>
    factOf("User likes tea", { id: "a", category: "preference", lastSeenAt: NOW - days * DAY, ...more });

  it("never expires in a project", () => {
    expect(forget([fact(5_000, { projectId: "shop" })])).toEqual({});
    const many = Array.from({ length: 200 }, (_, n) => fact(300, { id: `m${n}`, projectId: "shop" }));
    expect(forget(many)).toEqual({});
  });

  it("expires after the retention time of its category, unless it is in use", () => {
    expect(forget([fact(180)])).toEqual({});
    expect(forget([fact(181)])).toEqual({ a: "expired" });
    expect(forget([fact(181, { pinned: true })])).toEqual({});
    const usage = (days: number) => ({ retrieved: 1, cited: 0, ignored: 0, lastAccessedAt: NOW - days * DAY });
    expect(forget([fact(400, { usage: usage(179) })])).toEqual({});
    expect(forget([fact(400, { usage: usage(181) })])).toEqual({ a: "expired" });
  });

  it("is evicted above the cap, which applies per user", () => {
    const many = (owner: string, count: number) =>
      Array.from({ length: count }, (_, at) => factOf(`Thing ${at}`, { id: `${owner}${at}`, owner }));
    expect(Object.values(forget(many("u", 155)))).toEqual(Array(5).fill("evicted"));
    expect(forget([...many("u", 100), ...many("v", 100)])).toEqual({});
  });

  it("has no cap and no expiry if a project shares it", () => {
    const shared = Array.from({ length: 200 }, (_, at) =>
      factOf(`Thing ${at}`, { id: `f${at}`, scope: "project-shared", category: "project", lastSeenAt: NOW - 70 * DAY }),
    );
    expect(forget(shared)).toEqual({});
  });
});

describe("a memory without use for 90 days", () => {
  it("stays if no other memory contains it", () => {
    expect(forget([plainFact("The staging server is called heron")])).toEqual({});
  });

  it("is archived if another memory states the same and more", () => {
    const more = plainFact("The staging server is called heron and stands in Oslo", { id: "b", byHand: true });
    const less = plainFact("The staging server is called heron", { id: "a" });
    expect(forget([less, more])).toEqual({ a: "unused" });
    expect(forget([less, { ...more, archivedAt: 1 }])).toEqual({});
    expect(forget([less, { ...more, confidence: 0.5, byHand: false }])).toEqual({ b: "unused" });
    const denial = plainFact("The staging server in Oslo is not called heron", { id: "b", byHand: true });
    expect(forget([less, denial])).toEqual({});
  });

  it("is archived if its turn can still be recalled", () => {
    const fact = plainFact("The staging server is called heron", { id: "a" });
    expect(forget([fact], { hasStoredTurn: () => true })).toEqual({ a: "unused" });
    expect(forget([{ ...fact, kind: "workflow" }], { hasStoredTurn: () => true })).toEqual({});
  });

  it("is archived if it was mentioned once with low confidence", () => {
    expect(forget([plainFact("x is y", { id: "a", confidence: 0.6 })])).toEqual({ a: "unused" });
    expect(forget([plainFact("x is y", { id: "a", confidence: 0.6, mentions: 2 })])).toEqual({});
  });

  it.each([
    ["used", { usage: { retrieved: 1, cited: 0, ignored: 0 } }],
    ["pinned", { pinned: true }],
    ["saved by hand", { byHand: true }],
    ["a decision", { key: "decision", value: "y" }],
    ["linked to an ADR", { artifacts: [{ type: "adr" as const, ref: "ADR-012" }] }],
    ["mentioned recently", { lastSeenAt: NOW - 90 * DAY }],
    ["created recently", { createdAt: NOW - DAY }],
  ])("stays if it was %s", (_, more) => {
    expect(forget([plainFact("x is y", { confidence: 0.6, ...more })], { hasStoredTurn: () => true })).toEqual({});
  });

  it("stays if it is contradicted or was restored", () => {
    expect(forget([plainFact("x is y", { id: "a", confidence: 0.6 })], { isFixed: (id) => id === "a" })).toEqual({});
  });
});
