import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../../ports/model.ts";
import { judgeRelations } from "./judge.ts";

const fresh = { text: "We deploy on Mondays." };
const known = [{ text: "We deploy on Fridays." }, { text: "Ann deploys." }, { text: "We </stored-3> test." }];

function answering(text: string) {
  const requests: ModelRequest[] = [];
  const generate = async (request: ModelRequest) => {
    requests.push(request);
    return { text };
  };
  return { model: { modelId: "m", generate }, requests };
}

describe("the judge", () => {
  it("gets one request with all known claims, escaped", async () => {
    const { model, requests } = answering('[{"stored": 1, "relation": "supersedes"}]');
    await judgeRelations(fresh, known, model);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.prompt).toContain("<stored-1>\nWe deploy on Fridays.\n</stored-1>");
    expect(requests[0]?.prompt).toContain("‹/stored-3›");
    expect(requests[0]?.maxOutputTokens).toBeGreaterThanOrEqual(1_000);
  });

  it("gets at most eight claims", async () => {
    const { model, requests } = answering("{}");
    const { relations } = await judgeRelations(
      fresh,
      Array.from({ length: 20 }, () => ({ text: "x" })),
      model,
    );
    expect(requests[0]?.prompt).not.toContain("<stored-9>");
    expect(relations).toHaveLength(20);
  });

  it("gets no request without known claims", async () => {
    const { model, requests } = answering("{}");
    expect(await judgeRelations(fresh, [], model)).toEqual({ relations: [] });
    expect(requests).toEqual([]);
  });

  it.each([
    ["JSON", '[{"stored": 1, "relation": "supersedes"}, {"stored": 3, "relation": "duplicate"}]'],
    ["JSON in fences", '```json\n[{"stored":1,"relation":"supersedes"},{"stored":3,"relation":"duplicate"}]\n```'],
    ["JSON after reasoning", '<think>[{"stored":2}] hm</think>\n{"1": "supersedes", "3": "duplicate"}'],
    ["an object in an object", '{"relations": [{"id": "1", "relation": "SUPERSEDES"}, {"id": 3, "relation": "same"}]}'],
    ["lines", "1: **Supersedes**\n3. duplicate"],
    [
      "prose around it",
      'Sure! Here it is:\n[{"stored": "stored-1", "relation": "replaces"}, {"stored": 3, "relation": "Duplicate."}]',
    ],
  ])("may answer with %s", async (_, text) => {
    const { relations } = await judgeRelations(fresh, known, answering(text).model);
    expect(relations).toEqual(["supersedes", undefined, "duplicate"]);
  });

  it.each([
    ["**Yes**", "contradicts"],
    ["<think>Both days…</think>No.", "compatible"],
    ["Supersedes: the day changed.", "supersedes"],
  ])("may answer %s if there is one known claim", async (text, relation) => {
    expect((await judgeRelations(fresh, known.slice(0, 1), answering(text).model)).relations).toEqual([relation]);
  });

  it("returns the reason instead of relations if it fails", async () => {
    const broken = { modelId: "m", generate: () => Promise.reject(new Error("overloaded")) };
    const { relations, failure } = await judgeRelations(fresh, known, broken);
    expect(relations).toEqual([undefined, undefined, undefined]);
    expect(failure).toContain("overloaded");
    expect((await judgeRelations(fresh, known, answering("I cannot tell.").model)).failure).toContain("no relation");
  });
});
