import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { Rolldown } from "tsdown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtFile, builtProgram, packageFolder } from "../built.ts";

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

  it("of createThroughline has at most 150 kB gzip with all that append and prepare load", async () => {
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
    // Whatever is loaded later, such as consolidation, is not in them.
    expect(loaded.length).toBeLessThan(chunks.length);
    const sizes = loaded.map((name) => gzipSync(readFileSync(join(folder, name))).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(150 * KB);
  });
});

describe("the library", () => {
  it("has at most 8 MB", () => {
    const files = readdirSync(join(packageFolder, "dist"), { recursive: true, withFileTypes: true });
    const sizes = files
      .filter((file) => file.isFile())
      .map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(8_000 * KB);
  });

  it("has about 30 values at its root", () => {
    const script = `console.log(Object.keys(await import("throughline")).length)`;
    const count = Number(run(["--input-type=module", "--eval", script]));
    expect(count).toBeGreaterThan(20);
    expect(count).toBeLessThanOrEqual(35);
  });

  it("takes at most half of the CPU time of the AI SDK to import", () => {
    const [ours, theirs] = [cpuOfImport("throughline"), cpuOfImport("ai")];
    expect(ours / theirs).toBeLessThanOrEqual(0.5);
  });
});

describe("the command line", () => {
  it("takes at most twice the CPU time of an empty program to print its version", () => {
    const empty = cpuOf(["--eval", "0"]);
    const version = cpuOf([builtProgram(), "--version"]);
    expect(version / empty).toBeLessThanOrEqual(2);
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

const ROUNDS = 7;
const REPORT = `process.on("exit", () => { const { user, system } = process.cpuUsage(); process.stderr.write("CPU " + (user + system)); });`;

/** The least CPU time of a program in several runs, in microseconds: other programs on the machine can only add to it. */
function cpuOf(args: readonly string[]): number {
  const report = join(folder, "report.cjs");
  writeFileSync(report, REPORT);
  const times = Array.from({ length: ROUNDS }, () => {
    const { NODE_COMPILE_CACHE: _, ...env } = process.env;
    const command = [process.execPath, "--require", report, ...args].map((part) => JSON.stringify(part)).join(" ");
    const output = execFileSync("/bin/sh", ["-c", `${command} 2>&1 >/dev/null`], {
      cwd: packageFolder,
      env,
      encoding: "utf8",
    });
    return Number(/CPU (\d+)/.exec(output)?.[1]);
  });
  return Math.min(...times);
}

/** What an import adds to an empty program. */
function cpuOfImport(name: string): number {
  return cpuOf(["--input-type=module", "--eval", `await import(${JSON.stringify(name)})`]) - cpuOf(["--eval", "0"]);
}
