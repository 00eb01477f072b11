import { rmSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { projectFolder, writeFiles } from "../../../../cli/src/workspace/project.fixture.ts";
import { openWorkspace } from "../../../../cli/src/workspace/workspace.ts";
import { cases } from "../../../test/cases.ts";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import { omitUndefined } from "../../internal/json.ts";
import { openMemory } from "../../memory/open-memory.fixture.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { inProcessStore } from "../../store/in-process.ts";
import { createThroughline } from "../../throughline.ts";
import { learnPatterns } from "./learn-patterns.ts";
import { minePatterns } from "./mine/mine-patterns.ts";
import { python } from "./other-projects.fixture.ts";
import { factsOf, type ProjectText } from "./projects.fixture.ts";
import { express, hono, noise, pages } from "./script-projects.fixture.ts";

/** A workspace that counts parsed files. */
function counting(workspace: Workspace): Workspace & { parsed: string[] } {
  const parsed: string[] = [];
  return {
    ...workspace,
    parsed,
    parse: (file) => {
      parsed.push(file);
      return workspace.parse(file);
    },
  };
}

async function project(files: ProjectText, { projectId }: { projectId?: string } = { projectId: "shop" }) {
  const root = projectFolder(files);
  const store = inProcessStore();
  const { memory } = await openMemory(omitUndefined({ store, userId: "ada", projectId }));
  const workspace = counting(openWorkspace(root));
  const learn = (options: Partial<Parameters<typeof learnPatterns>[0]> = {}) => {
    workspace.parsed.length = 0;
    return learnPatterns({ workspace, memory, documents: store.documents, userId: "ada", projectId, ...options });
  };
  const patterns = () => memory.list({ kinds: ["pattern"], limit: 1_000 });
  return { root, store, memory, workspace, learn, patterns };
}

const HINT = "endpoint: route→zod→result→json";

describe("Throughline with a workspace", () => {
  it("learns patterns from it", async () => {
    const workspace = openWorkspace(projectFolder({ ...express, ...noise }));
    const { context, memory } = await createThroughline({ projectId: "shop", workspace });
    expect((await context.learnPatterns({ dryRun: true })).patterns[0]?.pattern.hint).toBe(HINT);
    expect(await memory.list({ kinds: ["pattern"] })).toEqual([]);
    await context.learnPatterns();
    expect((await context.learnPatterns()).read.parsed).toBe(0);
    const { context: text } = await context.assemble({ signals: { activity: "new-feature" } });
    expect(text).toContain("validation: zod_schema");
  });

  it("throws if it has no workspace", async () => {
    const { context } = await createThroughline();
    await expect(context.learnPatterns()).rejects.toThrow(InvalidOptionError);
  });
});

describe("learning a project", () => {
  it("shows an example with its doc comment and its indentation", async () => {
    const { learn, patterns } = await project(python);
    await learn();
    const texts = (await patterns()).map(({ levels }) => levels.full).join("\n");
    expect(texts).toMatch(/\n@router\.\w+\([^\n]*\)\n(?:async )?def \w+/);
    expect(texts).toMatch(/\n {4}\S/);
    expect(texts).not.toContain("new {Error}");
  });

  it("saves patterns at all of their levels", async () => {
    const { learn, patterns } = await project({ ...express, ...noise });
    const learned = await learn();
    const [found] = learned.patterns;
    expect(found).toMatchObject({ outcome: "added", pattern: { hint: HINT } });
    const kept = (await patterns()).find(({ id }) => id === found?.memoryId);
    expect(kept).toMatchObject({
      kind: "pattern",
      key: "new_endpoint",
      scope: "project-shared",
      projectId: "shop",
      byHand: false,
      confidence: found?.pattern.confidence,
      levels: {
        summary:
          "route: {method} /api/{resource}\nvalidation: zod_schema\nerror_handling: typed_result\nresponse: json_envelope",
        compressed: HINT,
        index: "api_pattern",
      },
      artifacts: found?.pattern.examples.map(({ path }) => ({ type: "file", ref: path })),
    });
    expect(kept?.levels.full).toContain("src/routes/orders.ts:7");
    expect(kept?.levels.full).toContain("Create.safeParse(req.body)");
  });

  it("saves them as private memories without a project", async () => {
    const { learn, patterns } = await project(hono, {});
    await learn();
    expect((await patterns())[0]).toMatchObject({ scope: "user-private", levels: { compressed: HINT } });
  });

  it("finds them by a query", async () => {
    const { learn, memory } = await project({ ...express, ...noise });
    await learn();
    const [hit] = await memory.recall("How do we write a new API endpoint?");
    expect(hit?.memory?.levels.compressed).toBe(HINT);
  });

  it("does not copy secrets from the code", async () => {
    const secret = 'const key = "sk-proj-4f9aK2mXq7RbT1vZc8Ye3WnD6sUhJ0pL5gQiOaBt";';
    const files = Object.entries(express).map(([file, text]) => [
      file,
      text.replace("const parsed", `${secret}\n      const parsed`),
    ]);
    const { learn, patterns } = await project(Object.fromEntries(files));
    await learn();
    const [kept] = await patterns();
    expect(kept?.levels.compressed).toBe(HINT);
    expect(JSON.stringify(kept)).not.toContain("sk-proj");
  });
});

describe("an example with a secret", () => {
  it("is replaced by the next example", async () => {
    const secret = 'const key = "sk-proj-4f9aK2mXq7RbT1vZc8Ye3WnD6sUhJ0pL5gQiOaBt";';
    const file = "src/routes/invoices.ts";
    const changed = (express[file] ?? "").replace("const parsed", `${secret}\n      const parsed`);
    const { learn, patterns } = await project({ ...express, [file]: changed });
    await learn();
    const [kept] = await patterns();
    expect(kept?.levels.full).toContain(".post(");
    expect(JSON.stringify(kept)).not.toContain("sk-proj");
  });
});

describe("learning again", () => {
  it("parses nothing and writes nothing if nothing changed", async () => {
    const { learn, patterns, workspace, memory } = await project({ ...express, ...noise });
    const first = await learn();
    expect(first.read.parsed).toBe(first.read.files);
    const [before, journal] = [await patterns(), await memory.journal({ limit: 100 })];
    const again = await learn();
    expect(workspace.parsed).toEqual([]);
    expect(again.read).toMatchObject({ files: first.read.files, parsed: 0, gone: 0 });
    expect(again.patterns.map(({ outcome }) => outcome)).toEqual(first.patterns.map(() => "unchanged"));
    expect(await patterns()).toEqual(before);
    expect(await memory.journal({ limit: 100 })).toEqual(journal);
  });

  it("parses only changed files, and updates the pattern under its id", async () => {
    const { root, learn, patterns, workspace } = await project({ ...express, ...noise });
    const [first] = (await learn()).patterns;
    const route = (express["src/routes/orders.ts"] ?? "").replaceAll("order", "refund").replaceAll("Order", "Refund");
    writeFiles(root, { "src/routes/refunds.ts": route });
    const again = await learn();
    expect(again.read.parsed).toBe(1);
    // And one file for the example.
    expect(workspace.parsed).toHaveLength(2);
    expect(again.patterns[0]).toMatchObject({ outcome: "updated", memoryId: first?.memoryId });
    expect((await patterns()).filter(({ levels }) => levels.compressed === HINT)).toHaveLength(1);
  });

  it("archives patterns that the code does not follow anymore, and restores them", async () => {
    const { root, learn, memory, patterns } = await project({ ...express, ...noise });
    const id = (await learn()).patterns[0]?.memoryId ?? "";
    rmSync(path.join(root, "src/routes"), { recursive: true });
    const gone = await learn();
    expect(gone.closed).toEqual([{ key: "endpoint:script", memoryId: id }]);
    expect(gone.read.gone).toBe(4);
    expect((await memory.get(id))?.archivedAt).toBeDefined();
    expect((await learn()).closed).toEqual([]);
    writeFiles(root, express);
    expect((await learn()).patterns[0]).toMatchObject({ outcome: "added", memoryId: id });
    expect((await patterns()).map((one) => one.id)).toContain(id);
  });

  it("replaces a pattern by a different one", async () => {
    const { root, learn, patterns } = await project(express);
    const id = (await learn()).patterns[0]?.memoryId;
    rmSync(path.join(root, "src"), { recursive: true });
    writeFiles(root, pages);
    expect((await learn()).patterns[0]).toMatchObject({ outcome: "updated", memoryId: id });
    expect((await patterns()).map(({ levels }) => levels.compressed)).toContain("endpoint: route→next→html");
  });

  it("keeps edits of a user", async () => {
    const { root, learn, memory } = await project(express);
    const id = (await learn()).patterns[0]?.memoryId ?? "";
    await memory.update(id, { text: "Endpoints answer with an envelope." });
    writeFiles(root, { "src/routes/extra.ts": express["src/routes/orders.ts"] ?? "" });
    expect((await learn()).patterns[0]?.outcome).toBe("left");
    expect((await memory.get(id))?.levels.full).toBe("Endpoints answer with an envelope.");
    await memory.forget(id);
    writeFiles(root, { "src/routes/more.ts": express["src/routes/orders.ts"] ?? "" });
    expect((await learn()).patterns[0]?.outcome).toBe("left");
    expect((await memory.get(id))?.archivedAt).toBeDefined();
  });
});

describe("an aborted run", () => {
  it("keeps its progress, and the next run continues from there", async () => {
    const { learn, patterns } = await project({ ...express, ...noise });
    const controller = new AbortController();
    const stopped = learn({
      signal: controller.signal,
      onProgress: ({ done }) => {
        if (done === 7) controller.abort(new Error("enough"));
      },
    });
    await expect(stopped).rejects.toThrow("enough");
    expect(await patterns()).toEqual([]);
    const { read, patterns: found } = await learn();
    expect(read.parsed).toBe(read.files - 7);
    expect(found[0]?.pattern.hint).toBe(HINT);
  });
});

describe("a dry run", () => {
  it("returns the patterns without saving them", async () => {
    const { learn, patterns, store } = await project(express);
    expect((await learn({ dryRun: true })).patterns[0]).toMatchObject({ outcome: "added", pattern: { hint: HINT } });
    expect(await patterns()).toEqual([]);
    expect(await store.documents.list("project:shop")).toEqual([]);
  });
});

describe("several folders of a project", () => {
  it("have their own patterns", async () => {
    const { learn, patterns } = await project(express);
    const other = await project(pages);
    await learn({ subfolder: "shop/" });
    await learn({ subfolder: "site/", workspace: other.workspace });
    expect((await patterns()).map(({ levels }) => levels.compressed).sort()).toEqual([
      "endpoint: route→next→html",
      HINT,
    ]);
  });
});

describe("patterns", () => {
  it("do not depend on the order of files", async () => {
    const facts = [...(await factsOf({ ...express, ...noise, ...pages }))];
    const wanted = minePatterns(new Map(facts));
    fc.assert(
      fc.property(fc.shuffledSubarray(facts, { minLength: facts.length }), (shuffled) => {
        expect(minePatterns(new Map(shuffled))).toEqual(wanted);
      }),
      { numRuns: cases(30) },
    );
  });
});
