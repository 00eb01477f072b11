import { symlinkSync, unlinkSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type * as TreeSitter from "@vscode/tree-sitter-wasm";
import { describe, expect, it, vi } from "vitest";
import type { SyntaxNode } from "../../../throughline/src/ports/workspace.ts";
import { git, projectFolder, writeFiles } from "./project.fixture.ts";
import { openWorkspace } from "./workspace.ts";

async function sourcesOf(root: string): Promise<string[]> {
  const found: string[] = [];
  for await (const file of openWorkspace(root).sources()) found.push(file);
  return found;
}

describe("sources", () => {
  const files = {
    "src/a.ts": "export const a = 1;",
    "src/b.py": "b = 1",
    "README.md": "# Hello",
    "node_modules/x/index.js": "module.exports = 1;",
    "dist/out.js": "var a = 1;",
    ".cache/c.js": "var c = 1;",
    ".gitignore": "dist\nnode_modules\n",
  };

  it("are files that git does not ignore, committed or not, without deleted ones", async () => {
    const root = projectFolder({ ...files, "gone.go": "package gone" });
    git(root, "init");
    git(root, "add", ".");
    git(root, "commit", "-m", "first");
    writeFiles(root, { "src/ü b.rs": "fn b() {}" });
    unlinkSync(path.join(root, "gone.go"));
    expect(await sourcesOf(root)).toEqual([".cache/c.js", "src/a.ts", "src/b.py", "src/ü b.rs"]);
  });

  it("are found without git, except for packages and hidden folders", async () => {
    expect(await sourcesOf(projectFolder(files))).toEqual(["dist/out.js", "src/a.ts", "src/b.py"]);
  });

  it("are found in a folder that git ignores as a whole", async () => {
    const root = projectFolder(files);
    git(root, "init");
    expect(await sourcesOf(path.join(root, "node_modules/x"))).toEqual(["index.js"]);
  });

  it("stop when they are aborted", async () => {
    const controller = new AbortController();
    const sources = openWorkspace(projectFolder(files)).sources({ signal: controller.signal });
    const all = async () => {
      for await (const file of sources) expect(file).toBe("none");
    };
    controller.abort(new Error("enough"));
    await expect(all()).rejects.toThrow("enough");
  });
});

describe("a file outside of the folder", () => {
  it("is not read, neither by its path nor through a link", async () => {
    const other = projectFolder({ "secret.ts": "export const secret = 1;", "more/deep.ts": "export const deep = 1;" });
    const root = projectFolder({ "a.ts": 'import "./link.ts"; import "./folder/deep.ts"; import "../secret.ts";' });
    symlinkSync(path.join(other, "secret.ts"), path.join(root, "link.ts"));
    symlinkSync(path.join(other, "more"), path.join(root, "folder"));
    const workspace = openWorkspace(root);
    expect(await sourcesOf(root)).toEqual(["a.ts"]);
    const outside = path.relative(root, path.join(other, "secret.ts"));
    for (const file of ["link.ts", "folder/deep.ts", outside, path.join(other, "secret.ts")]) {
      expect(await workspace.parse(file)).toBeUndefined();
      expect(await workspace.digest(file)).toBeUndefined();
    }
    expect(await workspace.importsOf("a.ts")).toEqual([]);
  });
});

describe("parse", () => {
  const root = projectFolder({
    "a.ts": 'const größe = "é😀";\nexport function f(x: number) { return größe; }',
    "b.tsx": "export const B = () => <p>hi</p>;",
    "c.mjs": "export default 1;",
    "d.py": "def f(): pass",
    "e.go": "package e",
    "f.rs": "fn f() {}",
    "g.java": "class G {}",
    "broken.ts": "export function half( { if (x ] return }} class {",
    "empty.ts": "",
    "binary.ts": new Uint8Array([0x63, 0, 0xff, 0]),
    "large.ts": `export const x = [${"1,\n".repeat(300_000)}];`,
    "min.js": `var a=[${"1,".repeat(20_000)}];`,
    "deep.ts": `const x = ${"(".repeat(5_000)}1${")".repeat(5_000)};`,
  });
  const workspace = openWorkspace(root);

  it("reads every listed language", async () => {
    const languages = ["a.ts", "b.tsx", "c.mjs", "d.py", "e.go", "f.rs", "g.java"].map(
      async (file) => (await workspace.parse(file))?.language,
    );
    expect(await Promise.all(languages)).toEqual(["typescript", "tsx", "javascript", "python", "go", "rust", "java"]);
  });

  it("returns a tree with text, lines and children, as in the file", async () => {
    const source = await workspace.parse("a.ts");
    const code = source?.root.children.find(({ type }) => type === "export_statement");
    const declaration = code?.children.find(({ field }) => field === "declaration");
    expect(declaration).toMatchObject({ type: "function_declaration", isNamed: true, line: 2 });
    expect(declaration?.children.find(({ field }) => field === "name")?.text).toBe("f");
    expect(source?.root.children[0]?.text).toBe('const größe = "é😀";');
    expect(source?.root).not.toHaveProperty("field");
  });

  it("reads invalid source as far as possible", async () => {
    const all = (node: SyntaxNode): SyntaxNode[] => [node, ...node.children.flatMap(all)];
    const source = await workspace.parse("broken.ts");
    expect(source === undefined ? [] : all(source.root).map(({ type }) => type)).toContain("ERROR");
    expect((await workspace.parse("empty.ts"))?.root.children).toEqual([]);
  });

  it("loads a parser again after a failed attempt", async () => {
    vi.resetModules();
    const { Parser, Language }: typeof TreeSitter = createRequire(import.meta.url)("@vscode/tree-sitter-wasm");
    const failing = [vi.spyOn(Parser, "init"), vi.spyOn(Language, "load")];
    const again = (await import("./workspace.ts")).openWorkspace(root);
    for (const spy of failing) {
      spy.mockRejectedValueOnce(new Error("too many open files"));
      await expect(again.parse("a.ts")).rejects.toThrow("too many open files");
    }
    expect((await again.parse("a.ts"))?.language).toBe("typescript");
  });

  it("cuts deeply nested source", async () => {
    const depth = (node: SyntaxNode): number => 1 + Math.max(0, ...node.children.map(depth));
    const source = await workspace.parse("deep.ts");
    expect(source === undefined ? 0 : depth(source.root)).toBe(1_000);
  });

  it.each(["binary.ts", "large.ts", "min.js", "README.md", "missing.ts"])("skips %s", async (file) => {
    expect(await workspace.parse(file)).toBeUndefined();
  });
});

describe("digest", () => {
  it("changes with the content of a file, also of one that is too large to parse", async () => {
    const root = projectFolder({ "a.ts": "1", "b.ts": "1", "large.ts": "x".repeat(600_000) });
    const workspace = openWorkspace(root);
    const [a, b, large] = await Promise.all(["a.ts", "b.ts", "large.ts"].map((file) => workspace.digest(file)));
    expect(a).toBe(b);
    writeFiles(root, { "a.ts": "2", "large.ts": "x".repeat(600_001) });
    expect(await workspace.digest("a.ts")).not.toBe(a);
    expect(await workspace.digest("large.ts")).not.toBe(large);
    expect(await workspace.digest("c.ts")).toBeUndefined();
  });
});

describe("a path that is not a folder", () => {
  it("is rejected", () => {
    expect(() => openWorkspace("/no/such/folder")).toThrow(expect.objectContaining({ code: "invalid-option" }));
  });
});
