import type { ListResourcesResult } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countTokens } from "../../../throughline/src/tokens/count-tokens.ts";
import { openMcp } from "./mcp.fixture.ts";
import { idIn, memoryUri } from "./resources.ts";

async function textAt({ client }: Awaited<ReturnType<typeof openMcp>>, uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri });
  const [first] = contents;
  expect(contents).toHaveLength(1);
  return first !== undefined && "text" in first ? first.text : "";
}

describe("the resources", () => {
  it("list every memory page by page, after the context", async () => {
    const { client, memory } = await openMcp();
    for (let i = 0; i < 450; i += 1)
      await memory.remember({ text: `Module ${i} belongs to team ${i}.`, kind: "episode" });
    const pages: ListResourcesResult[] = [];
    for (
      let cursor: string | undefined;
      pages.length === 0 || cursor !== undefined;
      cursor = pages.at(-1)?.nextCursor
    ) {
      pages.push(await client.request({ method: "resources/list", params: cursor === undefined ? {} : { cursor } }));
    }
    expect(pages.map(({ resources }) => resources.length)).toEqual([202, 200, 50]);
    const uris = pages.flatMap(({ resources }) => resources.map(({ uri }) => uri));
    expect(new Set(uris).size).toBe(452);
    // Without a cursor, the client reads all pages.
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(uris);
  });

  it("have one entry per memory, with its metadata", async () => {
    const open = await openMcp();
    const { memory: kept } = await open.memory.remember({
      text: "We deploy on Fridays.",
      pinned: true,
      category: "project",
    });
    const [, , resource] = (await open.client.listResources()).resources;
    expect(resource).toMatchObject({ uri: memoryUri(kept.id), mimeType: "text/plain", annotations: { priority: 1 } });
    const text = await textAt(open, memoryUri(kept.id));
    expect(text).toMatch(
      /^Memory mem_\w+, project, pinned\nTrue since 2024-10-04\nConfidence 0\.60, mentioned 1 time\.\n/,
    );
    expect(text).toContain("<memory>\nWe deploy on Fridays.\n</memory>");
  });

  it("include the assembled context", async () => {
    const open = await openMcp();
    await open.memory.remember({ text: "We decided to use PostgreSQL." });
    expect(await textAt(open, "throughline://context")).toMatch(/^<memories>\n[\s\S]*PostgreSQL[\s\S]*\n<\/memories>$/);
  });

  it("include an export, which import accepts", async () => {
    const open = await openMcp();
    await open.memory.remember({ text: "We decided to use PostgreSQL." });
    const other = await openMcp();
    await other.memory.import(await textAt(open, "throughline://export"));
    expect(await other.memory.list()).toHaveLength(1);
  });

  it("are offered as a template, whose ids are completed", async () => {
    const { client, memory } = await openMcp();
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([{ uriTemplate: "throughline://memories/{id}" }]);
    const ids: string[] = [];
    for (let i = 0; i < 3; i += 1)
      ids.push((await memory.remember({ text: `Fact number ${i}.`, kind: "episode" })).memory.id);
    const complete = async (value: string) => {
      const ref = { type: "ref/resource" as const, uri: "throughline://memories/{id}" };
      return (await client.complete({ ref, argument: { name: "id", value } })).completion.values;
    };
    expect(await complete("mem_")).toEqual(ids);
    expect(await complete(ids[1] ?? "")).toEqual([ids[1]]);
    expect(await complete("nothing")).toEqual([]);
  });

  it.each([
    ["throughline://memories/mem_none", "not found"],
    ["throughline://memories/%E0%A4%A", "not found"],
    ["throughline://elsewhere", "not found"],
    ["no address", "invalid"],
  ])("report a missing one: %s", async (uri, problem) => {
    const { client, errors } = await openMcp();
    await expect(client.readResource({ uri })).rejects.toThrow(new RegExp(problem, "i"));
    expect(errors).toEqual([]);
  });

  it("reject an invalid cursor", async () => {
    const { client } = await openMcp();
    await expect(client.listResources({ cursor: "page 2" })).rejects.toThrow(
      "Invalid cursor: not a cursor of this server.",
    );
  });

  it("shorten very long memories", async () => {
    const open = await openMcp();
    const { memory: kept } = await open.memory.remember({ text: "a long story ".repeat(7_000), kind: "episode" });
    expect(countTokens(await textAt(open, memoryUri(kept.id)))).toBeLessThan(4_200);
  });

  it("have an address for every id, except for those that lead to a folder", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (id) => {
        fc.pre(id !== "." && id !== "..");
        const { href } = new URL(memoryUri(id));
        expect(idIn(href.slice("throughline://memories/".length))).toBe(id);
      }),
    );
  });
});
