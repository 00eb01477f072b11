import { describe, expect, it } from "vitest";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import { openMemory, START } from "../open-memory.fixture.ts";
import { readForeignStore } from "./read-foreign-store.ts";

const read = (text: string) => {
  const { format, memories } = readForeignStore(text, START);
  return [format, ...memories.map(({ id, levels, subject = "user" }) => `${id} | ${subject} | ${levels.full}`)];
};

const MEM0 = {
  results: [
    { id: "1", memory: "Lives in Lisbon", user_id: "ada", created_at: "2024-05-01T10:00:00Z" },
    { id: "2", memory: "Lives in Lisbon", user_id: "ada", created_at: "2024-06-01T10:00:00Z" },
  ],
};

describe("reading memories of another program", () => {
  it("reads an export of mem0", () => {
    const lines = ["mem0", "1 | ada | Lives in Lisbon", "2 | ada | Lives in Lisbon"];
    expect(read(JSON.stringify(MEM0))).toEqual(lines);
    expect(read(JSON.stringify(MEM0.results))).toEqual(lines);
    expect(readForeignStore(JSON.stringify(MEM0), START).memories[0]?.createdAt).toBe(Date.parse("2024-05-01T10:00Z"));
  });

  it("reads the memory file of the MCP server, as lines and as one value", () => {
    const entity = { type: "entity", name: "Ada", entityType: "person", observations: ["Speaks Greek", "Likes tea"] };
    const relation = { type: "relation", from: "Ada", to: "Shop", relationType: "works on" };
    const lines = ["mcp-memory", "Ada 1 | Ada | Speaks Greek", "Ada 2 | Ada | Likes tea"];
    expect(read(`${JSON.stringify(entity)}\n${JSON.stringify(relation)}\n`)).toEqual(lines);
    expect(read(JSON.stringify({ entities: [entity], relations: [relation] }))).toEqual(lines);
  });

  it("reads the items of a Markdown file, with their lines", () => {
    const text = "# Rules\n\n- Use tabs\n- Never push to main\n\n```sh\nnpm test\n```\nThe build takes a minute.\n";
    expect(read(text)).toEqual([
      "markdown",
      "line 3 | user | Use tabs",
      "line 4 | user | Never push to main",
      "line 9 | user | The build takes a minute.",
    ]);
  });

  it("reads lines of code only if they contain a secret", () => {
    const key = ["ghp", "k7Jd93mQpZx81LsVb20RtYwNc64HgFaEu5Xo"].join("_");
    expect(read(`- Use tabs\n~~~\nexport TOKEN=${key}\n~~~`)).toContain(`line 3 | code | export TOKEN=${key}`);
  });

  it("reads an export of Throughline", async () => {
    const { memory } = await openMemory();
    const { memory: tea } = await memory.remember({ text: "User likes tea" });
    expect(read(JSON.stringify(await memory.export()))).toEqual(["throughline", `${tea.id} | user | User likes tea`]);
  });

  it("refuses an empty text and JSON of an unknown format", () => {
    expect(() => read(" ")).toThrow(InvalidOptionError);
    expect(() => read('{"a":1}')).toThrow(/mem0/);
  });

  it("is audited without an import", async () => {
    const { memory } = await openMemory();
    const browser = await memory.browser();
    const audit = await browser.auditForeign(JSON.stringify(MEM0));
    expect(audit).toMatchObject({ format: "mem0", checked: 2, findings: [{ kind: "duplicate", ids: ["1", "2"] }] });
    expect(await memory.list({ all: true })).toEqual([]);
  });
});
