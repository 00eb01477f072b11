import { describe, expect, it } from "vitest";
import { openContext, openProject } from "./open-context.fixture.ts";

describe("expand", () => {
  it("returns all memories of an index entry", async () => {
    const { context } = await openProject();
    const { receipt } = await context.assemble({ budget: 400, signals: { currentFile: "src/auth/login.ts" } });
    const pointers = receipt.items.filter(({ tier }) => tier === "index");
    expect(pointers.length).toBeGreaterThan(3);
    for (const { id, rule } of pointers) {
      const expanded = await context.expand(id);
      expect(expanded.length).toBeGreaterThan(0);
      if (rule === "pointer") expect(expanded.map((one) => one.id)).toEqual([id]);
    }
  });

  it("accepts the text that the index shows", async () => {
    const { context } = await openProject();
    const { context: text } = await context.assemble({ signals: { currentFile: "src/auth/login.ts" } });
    const [, topics = ""] = /Ask me about: (.*)/.exec(text) ?? [];
    for (const topic of topics.split(", ")) expect((await context.expand(topic)).length).toBeGreaterThan(0);
  });

  it("returns a pattern with its template, and a workflow with its steps", async () => {
    const { context } = await openProject();
    const [pattern] = await context.expand("api_pattern");
    expect(pattern?.text).toContain("validation: zod_schema");
    const [workflow] = await context.expand("Deploy");
    expect(workflow?.text).toContain("test → build → stage → verify → prod");
    expect(workflow?.memory.kind).toBe("workflow");
  });

  it("searches for text that is no entry, and returns nothing without a match", async () => {
    const { context } = await openProject();
    expect((await context.expand("browser versions that are supported"))[0]?.text).toContain("every browser");
    expect(await context.expand("volcanoes of Iceland")).toEqual([]);
    expect(await context.expand("  ")).toEqual([]);
  });

  it("returns no outdated memories and none of other users", async () => {
    const { context, memory, store, clock } = await openContext();
    const { memory: gone } = await memory.remember({
      text: "The old deploy needs Jenkins.",
      kind: "workflow",
      title: "old deploy",
    });
    await memory.forget(gone.id);
    const eve = await openContext({ userId: "eve", projectId: "shop", store, clock });
    const { memory: hers } = await eve.memory.remember({
      text: "Eve's deploy is secret.",
      kind: "workflow",
      title: "deploy",
    });
    for (const pointer of [gone.id, hers.id, "old_deploy", "deploy"]) expect(await context.expand(pointer)).toEqual([]);
  });
});
