import { describe, expect, it } from "vitest";
import { runSteps } from "../../internal/yield-to-event-loop.ts";
import type { Memory } from "../../ports/memory.ts";
import { factOf, NOW } from "../facts/memory.arbitrary.ts";
import { discoverLinks, findEntities, MAX_LINKS } from "./discover-links.ts";

/** Memories without common entities. They make an entity of two other memories rare. */
const OTHERS = Array.from({ length: 30 }, (_, at) => factOf(`nothing of note, part ${at}`, { id: `z${at}` }));

function linksOf(memories: readonly Memory[], now = NOW): Record<string, readonly string[]> {
  const { changed } = runSteps(discoverLinks([...memories, ...OTHERS], now));
  return Object.fromEntries(changed.map(({ id, links }) => [id, links]));
}

describe("findEntities", () => {
  it("finds names, known things, files, artifacts, the subject, the key and the session", () => {
    const memory = factOf("Deploys by Ann's team run src/deploy/run.ts on k8s", {
      key: "Database",
      subject: "Billing",
      artifacts: [{ type: "adr", ref: "ADR-012" }],
      source: { sessionId: "s1" },
    });
    expect([...findEntities(memory).keys()].sort()).toEqual([
      "adr adr-012",
      "ann",
      "billing",
      "deploys",
      "key db",
      "kubernetes",
      "session s1",
      "src/deploy/run.ts",
    ]);
  });

  it("does not find stop words, pronouns or the user", () => {
    expect([...findEntities(factOf("User is here. The user went. I am We")).keys()]).toEqual([]);
  });
});

describe("links", () => {
  it.each([
    ["a person", { text: "Ann leads billing" }, { text: "lunch with Ann on Fridays" }],
    ["a thing by another name", { text: "we deploy on k8s" }, { text: "Kubernetes restarts it" }],
    [
      "a file",
      { text: "src/api/server.ts is slow" },
      { text: "x", artifacts: [{ type: "file" as const, ref: "./src/api/server.ts" }] },
    ],
    [
      "an artifact",
      { text: "x", artifacts: [{ type: "pr" as const, ref: "7" }] },
      { text: "y", artifacts: [{ type: "pr" as const, ref: "7" }] },
    ],
    ["a session", { text: "x", source: { sessionId: "s1" } }, { text: "y", source: { sessionId: "s1" } }],
  ])("go both ways between two memories that share %s", (_, one, other) => {
    const [a, b] = [factOf(one.text, { id: "a", ...one }), factOf(other.text, { id: "b", ...other })];
    expect(linksOf([a, b])).toEqual({ a: ["b"], b: ["a"] });
  });

  it("are not created for an entity that too many memories share", () => {
    const all = Array.from({ length: 40 }, (_, at) => factOf(`Ann did thing ${at}`, { id: `a${at}` }));
    expect(runSteps(discoverLinks(all, NOW))).toEqual({ changed: [], added: [] });
  });

  it("are ordered by strength and limited to eight per memory", () => {
    const ann = Array.from({ length: 12 }, (_, at) => factOf(`Ann did thing ${at}`, { id: `a${at}` }));
    const close = factOf("Ann met Zacharias", { id: "c1" });
    const closer = factOf("Zacharias knows Ann", { id: "c2" });
    const links = linksOf([...ann, close, closer]);
    expect(links.c1?.[0]).toBe("c2");
    expect(Math.max(...Object.values(links).map((list) => list.length))).toBeLessThanOrEqual(MAX_LINKS);
  });

  it("never connect two projects", () => {
    const one = (id: string, projectId: string) => factOf("Ann leads it", { id, projectId });
    expect(linksOf([one("a", "p"), one("b", "q")])).toEqual({});
  });

  it("that exist are kept, become mutual, and follow a replaced memory to its successor", () => {
    const a = factOf("one", { id: "a", links: ["b", "elsewhere"] });
    const b = factOf("two", { id: "b", archivedAt: 5, supersededBy: "c" });
    const c = factOf("three", { id: "c" });
    expect(linksOf([a, b, c])).toEqual({ a: ["elsewhere", "c"], c: ["a"] });
  });

  it("to an archived memory are removed, and added again when it is restored", () => {
    const a = factOf("one", { id: "a", links: ["b"] });
    const b = factOf("two", { id: "b", links: ["a"], archivedAt: 5 });
    expect(linksOf([a, b])).toEqual({ a: [] });
    const { archivedAt: _, ...back } = b;
    expect(linksOf([{ ...a, links: [] }, back])).toEqual({ a: ["b"] });
  });
});
