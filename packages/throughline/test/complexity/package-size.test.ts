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

  it("of createThroughline has at most 150 kB gzip with everything that append and prepare load", async () => {
    const chunks = await bundle("createThroughline");
    for (const { fileName, code } of chunks) writeFileSync(join(folder, fileName), code);
    for (const data of ["token-ranks.bin", "word-vectors.bin"]) {
      writeFileSync(join(folder, data), readFileSync(builtFile(data)));
    }
    const entry = chunks.find(({ isEntry }) => isEntry)?.fileName ?? "";
    const script = `
      globalThis.loadedChunks = [];
      const { createThroughline } = await import(${JSON.stringify(pathToFileURL(join(folder, entry)).href)});
      const tl = await createThroughline();
      const session = tl.session("s", { modelId: "gpt-4o" });
      await session.append([{ role: "user", content: "Which database do we use?" }]);
      const turn = await session.prepare({ memory: true });
      if (turn.messages.length !== 1) throw new Error("nothing was prepared");
      console.log(JSON.stringify(loadedChunks));
    `;
    const loaded: string[] = JSON.parse(run(["--input-type=module", "--eval", script]));
    expect(loaded).toContain(entry);
    // Modules that are loaded later, such as consolidation, are not included.
    expect(loaded.length).toBeLessThan(chunks.length);
    const sizes = loaded.map((name) => gzipSync(readFileSync(join(folder, name))).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(150 * KB);
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
    const others = imported.filter((name) => !/^\.\/(run|package)-?/.test(name));
    expect(others.toSorted()).toEqual(["node:fs", "node:module", "node:process"]);
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
