import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { Rolldown } from "tsdown";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtFile, builtProgram, manifest, packageFolder } from "../built.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "throughline-size-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const KB = 1_000;

describe("the minified bundle of one import", () => {
  it.each([
    { name: "validateWindow", max: 20 * KB },
    { name: "parseTranscript", max: 100 * KB },
    { name: "countTokens", max: 20 * KB },
  ])("of $name has at most $max bytes", async ({ name, max }) => {
    const chunks = await bundle(name);
    expect(chunks.reduce((sum, { code }) => sum + Buffer.byteLength(code), 0)).toBeLessThanOrEqual(max);
  });

  describe("of createThroughline", () => {
    let chunks: readonly Chunk[];
    let loaded: LoadedChunks;
    beforeAll(async () => {
      chunks = await bundle("createThroughline");
      loaded = loadedBy(chunks);
    });

    it("has at most 150 kB gzip with everything that append, prune, compact and trim load", () => {
      expect(loaded.turn).toContain("entry.js");
      expect(loaded.turn.some((name) => name.startsWith("plan-compaction"))).toBe(true);
      expect(zipped(loaded.turn)).toBeLessThanOrEqual(150 * KB);
    });

    it("has at most 40 kB gzip more with everything that a turn with memories loads", () => {
      expect(loaded.recall.some((name) => name.startsWith("search-index"))).toBe(true);
      expect(zipped(loaded.recall)).toBeLessThanOrEqual(40 * KB);
    });

    it("leaves out modules that a turn does not need, such as consolidation", () => {
      const all = [...loaded.turn, ...loaded.recall];
      expect(chunks.some(({ fileName }) => fileName.startsWith("memory-maintenance"))).toBe(true);
      expect(all.filter((name) => /^(?:memory-maintenance|memory-writes|create-context)/.test(name))).toEqual([]);
    });
  });
});

describe("the library", () => {
  it("has about 30 values at its root", () => {
    const script = `console.log(Object.keys(await import("throughline")).length)`;
    const count = Number(run(["--input-type=module", "--eval", script]));
    expect(count).toBeGreaterThan(20);
    expect(count).toBeLessThanOrEqual(35);
  });

  it("is imported in less than half the time of the AI SDK: a quarter of its code in half of its modules", () => {
    // Bytes and modules in place of seconds: the time of an import follows both, and a busy machine changes neither.
    const [ours, theirs] = [codeBehind("throughline"), codeBehind("ai")];
    expect(theirs.bytes).toBeGreaterThan(100 * KB);
    expect(ours.bytes / theirs.bytes).toBeLessThanOrEqual(0.25);
    expect(ours.modules / theirs.modules).toBeLessThanOrEqual(0.5);
  });
});

describe("the command line", () => {
  it("loads nothing but itself to print its version", () => {
    const code = readFileSync(builtProgram(), "utf8");
    expect(Buffer.byteLength(code)).toBeLessThanOrEqual(4 * KB);
    const imported = ts.preProcessFile(code, true, true).importedFiles.map(({ fileName }) => fileName);
    expect(imported).toEqual(["./run.js"]);
    expect(run([builtProgram(), "--version"]).trim()).toBe(manifest.version);
  });
});

interface Chunk {
  readonly fileName: string;
  readonly code: string;
  readonly isEntry: boolean;
}

/** Bundles one import of the built package as an application would. Each chunk notes when it is loaded. */
async function bundle(name: string): Promise<Chunk[]> {
  const input = "throughline:size";
  const build = await Rolldown.rolldown({
    input,
    platform: "neutral",
    plugins: [
      {
        name: "one-import",
        resolveId: (id) => (id === input ? id : null),
        load: (id) => (id === input ? `export { ${name} } from ${JSON.stringify(builtFile("index.js"))};` : null),
      },
    ],
  });
  const { output } = await build.generate({
    format: "esm",
    minify: true,
    entryFileNames: "entry.js",
    chunkFileNames: "[name]-[hash].js",
  });
  await build.close();
  return output
    .filter((file) => file.type === "chunk")
    .map(({ fileName, code, isEntry }) => ({
      fileName,
      isEntry,
      code: name === "createThroughline" ? `globalThis.loadedChunks.push(${JSON.stringify(fileName)});${code}` : code,
    }));
}

/** Chunks by the first turn that loads them. */
interface LoadedChunks {
  /** Loaded by a session that appends, prunes, compacts and trims. */
  readonly turn: readonly string[];
  /** Loaded in addition by a turn with memories. */
  readonly recall: readonly string[];
}

/** Runs a session from the chunks. */
function loadedBy(chunks: readonly Chunk[]): LoadedChunks {
  for (const { fileName, code } of chunks) writeFileSync(join(folder, fileName), code);
  for (const data of ["token-ranks.bin", "word-vectors.bin"]) {
    writeFileSync(join(folder, data), readFileSync(builtFile(data)));
  }
  const script = `
    import assert from "node:assert";
    globalThis.loadedChunks = [];
    const { createThroughline } = await import(${JSON.stringify(pathToFileURL(join(folder, "entry.js")).href)});
    const tl = await createThroughline();
    const session = tl.session("s", { modelId: "gpt-4o", contextLimit: 8_000 });
    for (let index = 0; index < 30; index += 1) {
      const [id, path] = ["call-" + index, "src/file-" + index + ".ts"];
      const value = ("export const value = " + index + ";\\n").repeat(200);
      await session.append([
        { role: "user", content: "Change " + path + ". " + "We use PostgreSQL and pnpm. ".repeat(20) },
        { role: "assistant", content: [{ type: "tool-call", toolCallId: id, toolName: "read", input: { path } }] },
        { role: "tool", content: [{ type: "tool-result", toolCallId: id, toolName: "read", output: { type: "text", value } }] },
        { role: "assistant", content: "A check was missing in " + path + "; I added it. Next: update the docs." },
      ]);
    }
    const compacted = await session.prepare();
    assert(compacted.wasPruned && compacted.wasCompacted, "not pruned and compacted");
    const { tokens } = await session.prepare({ budget: 900 });
    assert(tokens.final < tokens.afterCompact, "not trimmed");
    const turn = [...loadedChunks];
    await session.append([{ role: "user", content: "Which database do we use?" }]);
    await session.prepare({ memory: true });
    console.log(JSON.stringify({ turn, recall: loadedChunks.slice(turn.length) }));
  `;
  return JSON.parse(run(["--input-type=module", "--eval", script]));
}

function zipped(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);
}

function run(args: readonly string[]): string {
  return execFileSync(process.execPath, args, { cwd: packageFolder, encoding: "utf8" });
}

/** The modules that an import loads, and their bytes. */
function codeBehind(name: string): { readonly bytes: number; readonly modules: number } {
  const script = `
    import { registerHooks } from "node:module";
    let [bytes, modules] = [0, 0];
    registerHooks({ load(url, context, next) {
      const loaded = next(url, context);
      if (!url.startsWith("file:")) return loaded;
      bytes += Buffer.byteLength(loaded.source ?? "");
      modules += 1;
      return loaded;
    } });
    await import(${JSON.stringify(name)});
    console.log(JSON.stringify({ bytes, modules }));
  `;
  return JSON.parse(run(["--input-type=module", "--eval", script]));
}
