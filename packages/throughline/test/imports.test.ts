import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, relative } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { packageFolder } from "./built.ts";

// Import order from the inside out: a folder, or a file of src itself, may import from the entries above it.
// A new one gets its line in one of these three tables.
const core = [
  "internal",
  "language",
  "errors",
  "message",
  "ports",
  "http",
  "telemetry",
  "tokens",
  "transcript",
  "overflow",
  "prune",
  "ledger",
  "trim",
  "compact",
  "receipt",
  "inspect",
  "session",
  "memory",
  "context",
  "chat",
  "throughline-api.ts",
  "open-memory.ts",
  "open-throughline.ts",
  "throughline.ts",
  "undo-import.ts",
  "index.ts",
];
// Adapters without outside dependencies: defaults, and wrappers around given objects.
const neutralAdapters = [
  "store/in-process.ts",
  "embed/ai-sdk-embedder.ts",
  "embed/transformers-embedder.ts",
  "embed/word-embedder.ts",
  "model/openai-compatible-model.ts",
  "model/recording-model.ts",
  "model/replaying-model.ts",
  "model/tape.ts",
];
// Adapters know the core and not each other.
const adapters = ["store", "embed", "model"];
// Entry points know everything, each other too; biome keeps them free of cycles.
const entryPoints = ["ai-sdk", "react", "test", "exports", "bin.ts"];

// Types of surroundings and data files: compiled with all, imported by none.
const ambient = ["data-file.d.ts", "runtime-neutral.d.ts"];

const here = "packages/throughline/test/imports.test.ts";

interface Import {
  /** Both relative to src. */
  from: string;
  to: string;
}

function violation({ from, to }: Import): string | undefined {
  const [importer, imported] = [folderOf(from), folderOf(to)];
  if (!isKnown(importer)) return `src/${importer} has no place in the order of imports: add it to a table in ${here}`;
  if (isBuiltin(to)) return isCore(importer) ? `src/${from} imports ${to}: ${importer} may not import Node` : undefined;
  const isRoot = ["open-memory.ts", "open-throughline.ts", "index.ts"].includes(importer);
  if (isPreset(to) && ["compact", "receipt", "session"].includes(importer) && !isPreset(from)) {
    return `src/${from} imports src/${to}: presets are built on the engine, not the other way around`;
  }
  if (mayImport(importer, imported) || (isRoot && neutralAdapters.includes(to))) return undefined;
  return `src/${from} imports src/${to}: ${importer} may not import ${imported}`;
}

function mayImport(importer: string, imported: string): boolean {
  if (importer === imported || entryPoints.includes(importer)) return true;
  if (adapters.includes(importer)) return isCore(imported);
  return isCore(imported) && core.indexOf(imported) < core.indexOf(importer);
}

/** Functions for programs that keep their own messages, built on sessions and compaction. */
function isPreset(path: string): boolean {
  return path.startsWith("compact/presets/") || path === "session/state/message-store.ts";
}

function isCore(folder: string): boolean {
  return core.includes(folder);
}

function isKnown(folder: string): boolean {
  return [...core, ...adapters, ...entryPoints, ...ambient].includes(folder);
}

function folderOf(path: string): string {
  return path.split("/")[0] ?? path;
}

function importsOf(file: string, text = readFileSync(join(source, file), "utf8")): Import[] {
  const { importedFiles } = ts.preProcessFile(text, true, true);
  return importedFiles.flatMap(({ fileName }) => {
    if (isBuiltin(fileName)) return [{ from: file, to: fileName }];
    if (!fileName.startsWith(".")) return [];
    return [{ from: file, to: unixPath(relative(source, join(source, file, "..", fileName))) }];
  });
}

function unixPath(path: string): string {
  return path.replaceAll("\\", "/");
}

const source = join(packageFolder, "src");

// Tests and their fixtures may import anything.
const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .map(unixPath)
  .filter((file) => /\.tsx?$/.test(file) && !/\.(test(-d)?|arbitrary|fixture)\.tsx?$/.test(file));

describe("imports", () => {
  it("point inward in every file", () => {
    expect(files).toContain("index.ts");
    expect(files.flatMap((file) => importsOf(file)).flatMap((found) => violation(found) ?? [])).toEqual([]);
  });

  it("are found in every form", () => {
    const text = `import type { A } from "../ports/a.ts";
      export { b } from "./b.ts";
      export type * from "../errors/c.ts";
      const d = await import("node:fs");
      import "zod";
      // import "../cli/e.ts";
      const text = 'import "../cli/f.ts"';`;
    const found = ["ports/a.ts", "tokens/b.ts", "errors/c.ts", "node:fs"];
    expect(importsOf("tokens/a.ts", text)).toEqual(found.map((to) => ({ from: "tokens/a.ts", to })));
  });

  it("are read from files in folders that have a place in the order", () => {
    const strangers = [...new Set(files.map(folderOf))].filter((folder) => !isKnown(folder));
    expect(strangers.map((folder) => violation({ from: folder, to: folder }))).toEqual([]);
  });
});

describe("the rule", () => {
  const cases: [from: string, to: string, says: string | undefined][] = [
    ["tokens/count.ts", "message/part.ts", undefined],
    ["message/part.ts", "message/convert/base64.ts", undefined],
    ["compact/presets/a.ts", "compact/presets/b.ts", undefined],
    [
      "session/a.ts",
      "compact/presets/b.ts",
      "src/session/a.ts imports src/compact/presets/b.ts: presets are built on the engine, not the other way around",
    ],
    ["message/a.ts", "tokens/b.ts", "src/message/a.ts imports src/tokens/b.ts: message may not import tokens"],
    ["chat/a.ts", "index.ts", "src/chat/a.ts imports src/index.ts: chat may not import index.ts"],
    ["index.ts", "store/sqlite.ts", "src/index.ts imports src/store/sqlite.ts: index.ts may not import store"],
    ["store/sqlite.ts", "memory/memory.ts", undefined],
    ["store/sqlite.ts", "embed/words.ts", "src/store/sqlite.ts imports src/embed/words.ts: store may not import embed"],
    ["store/sqlite.ts", "react/panel.ts", "src/store/sqlite.ts imports src/react/panel.ts: store may not import react"],
    ["exports/memory.ts", "memory/a.ts", undefined],
    ["tokens/count.ts", "node:fs", "src/tokens/count.ts imports node:fs: tokens may not import Node"],
    ["transcript/a.ts", "fs/promises", "src/transcript/a.ts imports fs/promises: transcript may not import Node"],
    ["store/sqlite.ts", "node:fs", undefined],
    ["utils/a.ts", "message/part.ts", `src/utils has no place in the order of imports: add it to a table in ${here}`],
  ];
  it.each(cases)("%s imports %s", (from, to, says) => {
    expect(violation({ from, to })).toBe(says);
  });
});
