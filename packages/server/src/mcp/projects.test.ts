import { describe, expect, it } from "vitest";
import { openBeside, openMemory } from "../../../throughline/src/memory/open-memory.fixture.ts";
import { recordImport } from "../../../throughline/src/memory/undo/import-record.ts";
import { undoImport } from "../../../throughline/src/undo-import.ts";
import { openMcp } from "./mcp.fixture.ts";

/** An agent in the project `shop`, whose user also has a project `blog`. */
async function inShop() {
  const shop = await openMemory({ projectId: "shop" });
  const blog = await openBeside(shop, { projectId: "blog" });
  await blog.memory.remember({ text: "The blog runs on Netlify." });
  await shop.memory.remember({ text: "The shop runs on Fly." });
  const answers = { erased: 0 };
  const undoDeps = {
    ...shop,
    userId: "local",
    open: async () => shop.throughline,
    eraseAnswers: async () => {
      answers.erased += 1;
    },
  };
  const mcp = await openMcp({
    store: shop.store,
    clock: shop.clock,
    projectId: "shop",
    access: {
      listProjects: () => shop.memory.projects(),
      openProject: async (projectId) => (await openBeside(shop, { projectId })).throughline,
      undoImport: (id, dryRun) => undoImport(undoDeps, id, { dryRun }),
    },
  });
  return { ...mcp, clock: shop.clock, answers };
}

describe("projects over MCP", () => {
  it("are listed, and another one is searched only if it is named", async () => {
    const { call } = await inShop();
    const { text } = await call("projects");
    expect(text).toMatch(/^- blog: 1 memories, 0 sessions, last used [\d-]+\n- shop: 1 memories/m);
    expect(text).toContain("Memories about the user, outside of projects: 0");
    expect((await call("recall", { query: "Netlify" })).ids).toEqual([]);
    expect((await call("recall", { query: "Netlify", project: "blog" })).ids).toHaveLength(1);
    expect(await call("recall", { query: "Netlify", project: "blgo" })).toMatchObject({
      isError: true,
      text: "Invalid project: blgo. Expected the id of a project from `projects`.",
    });
  });

  it("are neither listed nor opened if the connection has access to one only", async () => {
    const { call } = await openMcp({ projectId: "shop" });
    expect((await call("projects")).text).toBe("No projects yet.");
    expect((await call("recall", { query: "x", project: "shop" })).isError).toBe(true);
    expect((await call("undo_import", { id: "imp_1" })).isError).toBe(true);
  });

  it("lose an import that is undone", async () => {
    const { call, store, clock, memory, answers } = await inShop();
    const note = recordImport(store, { userId: "local", clock, sources: ["list.txt"] });
    const { memory: noted } = await openMemory({ store: note.store, clock, projectId: "shop" });
    await noted.import("- Prefers short answers");
    await note.save();
    expect(await memory.list()).toHaveLength(2);
    expect((await call("undo_import", { id: note.id, dry_run: true })).text).toContain("Would be: 0 sessions");
    expect((await call("undo_import", { id: note.id })).text).toBe(
      "Done: 0 sessions, 0 utterances and 1 memories erased, 0 restored, 0 kept.",
    );
    expect(await memory.list()).toHaveLength(1);
    expect((await call("undo_import", { id: "imp_none" })).isError).toBe(true);
    expect(answers.erased).toBe(1);
  });

  it("lose an import that was killed before its end", async () => {
    const { call, store, clock, memory } = await inShop();
    const note = recordImport(store, { userId: "local", clock, sources: ["list.txt"] });
    const { memory: noted, throughline } = await openMemory({ store: note.store, clock, projectId: "shop" });
    await noted.import("- Prefers short answers");
    await noted.ingest({ sessionId: "s1", messages: [{ role: "user", text: "We pack orders by hand." }] });
    for (const content of ["Hello", "Hello again"]) await throughline.session("s1").append([{ role: "user", content }]);
    const { text } = await call("undo_import", { id: note.id });
    expect(text).toMatch(/^Done: 1 sessions, 1 utterances .* 0 kept\.$/);
    expect(await memory.list()).toHaveLength(1);
    expect(await store.documents.list("user:local", "import")).toEqual([`import/${note.id}`]);
  });

  it("are not undone as a whole if one of them is not visible", async () => {
    const { call, store, clock } = await inShop();
    const note = recordImport(store, { userId: "local", clock, sources: ["blog.json"] });
    const blog = await openMemory({ store: note.store, clock, projectId: "blog" });
    await blog.memory.remember({ text: "The blog is public.", scope: "project-shared" });
    const { isError, text } = await call("undo_import", { id: note.id });
    expect(isError).toBe(true);
    expect(text).toContain("Cannot change the imported memories in project:blog");
    expect(await blog.memory.list({ scope: "project-shared" })).toHaveLength(1);
  });
});
