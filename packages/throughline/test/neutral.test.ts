import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { isBuiltin } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import vm from "node:vm";
import { gunzipSync } from "node:zlib";
import { Rolldown } from "tsdown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtFile } from "./built.ts";

// The root entry with all its imports, third-party packages included, as one script without modules.
let bundle: string;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "throughline-neutral-"));
  bundle = await bundleNeutral(builtFile("index.js"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const resolve = { mainFields: ["module", "main"], conditionNames: ["import", "default"] };

/** A use of the package and of a dependency, its result as JSON. */
const probe = `JSON.stringify({
  tokens: throughline.countTokens("Hello, world"),
  violations: throughline.validateWindow(
    [
      { id: "m1", role: "user", parts: [{ type: "text", text: "How warm is it in Zürich?" }] },
      {
        id: "m2",
        role: "tool",
        parts: [{ type: "tool-result", toolCallId: "lost", toolName: "weather", output: { type: "text", value: "21 °C" } }],
      },
    ],
    "openai",
  ).map(({ code }) => code),
})`;

const expected = { tokens: 3, violations: ["orphan-result"] };

describe("the root entry", () => {
  it("imports nothing of Node, and neither do its dependencies", () => {
    // Bundling fails on the first import of Node.
    expect(bundle.length).toBeGreaterThan(10_000);
  });

  it("works with only the language and five web globals, once it is given the token ranks", async () => {
    const ranks = new Uint8Array(gunzipSync(readFileSync(builtFile("token-ranks.bin"))));
    const context = vm.createContext({ TextEncoder, TextDecoder, URL, atob, btoa, ranks });
    vm.runInContext(bundle, context, { filename: "throughline.js" });
    expect(() => vm.runInContext(probe, context)).toThrow("the token ranks are not loaded");
    await vm.runInContext("throughline.loadTokenRanks(ranks)", context);
    const result: unknown = vm.runInContext(probe, context);
    expect(JSON.parse(String(result))).toEqual(expected);
  });

  it("refuses other bytes than the token ranks", async () => {
    const context = vm.createContext({ TextEncoder, TextDecoder, URL, atob, btoa, Uint8Array });
    vm.runInContext(bundle, context, { filename: "throughline.js" });
    const loaded = vm.runInContext("throughline.loadTokenRanks(new Uint8Array(3))", context);
    await expect(loaded).rejects.toMatchObject({ code: "token-ranks" });
  });

  it("works in Chromium, which loads the token ranks", async () => {
    const site = join(folder, "root");
    await bundleForBrowsers(builtFile("index.js"), site);
    const script = `import * as throughline from "/index.js"; await throughline.createThroughline(); ${show(probe)}`;
    writeFileSync(join(site, "page.html"), `<!doctype html><body><script type="module">${script}</script>`);
    expect(await visit(site, "page.html")).toEqual(expected);
  });
});

describe("an entry point for pages", () => {
  it.each(["chat.js", "dexie.js", "react.js"])("%s and its imports do not use Node", async (file) => {
    expect((await bundleNeutral(builtFile(file))).length).toBeGreaterThan(1_000);
  });
});

describe("the word vectors", () => {
  const embed = (words: string) => `throughline.wordEmbedder(${words}).embed(["The cat sleeps."])`;

  it("are taken along by a bundler, and read in Chromium", async () => {
    const site = join(folder, "site");
    await bundleForBrowsers(builtFile("index.js"), site);
    expect(readdirSync(site, { recursive: true, encoding: "utf8" }).filter((file) => /\.bin$/.test(file))).toHaveLength(
      2,
    );
    const script = `import * as throughline from "/index.js"; const [vector] = await ${embed("")}; ${show("vector.length")}`;
    writeFileSync(join(site, "page.html"), `<!doctype html><body><script type="module">${script}</script>`);
    expect(await visit(site, "page.html")).toBe(100);
  });

  it("cause a clear error if they cannot be loaded", async () => {
    const context = vm.createContext({ TextEncoder, TextDecoder, URL, atob, btoa });
    vm.runInContext(bundle, context, { filename: "throughline.js" });
    await expect(vm.runInContext(embed(""), context)).rejects.toMatchObject({ problem: "missing-words" });
  });

  it("can be passed in if they cannot be loaded", async () => {
    const bytes = new Uint8Array(gunzipSync(readFileSync(builtFile("word-vectors.bin"))));
    const context = vm.createContext({ TextEncoder, TextDecoder, URL, atob, btoa, bytes });
    vm.runInContext(bundle, context, { filename: "throughline.js" });
    expect(await vm.runInContext(embed("{ bytes }"), context)).toMatchObject([{ length: 100 }]);
  });
});

describe("an edge runtime, which has fetch and no files", () => {
  const use = `(async () => {
    const warnings = [];
    const logger = { info() {}, warn: (message) => warnings.push(message) };
    const tl = await throughline.createThroughline({ logger });
    await tl.memory.remember({ text: "We deploy the shop on Fridays.", kind: "fact" });
    await tl.memory.remember({ text: "The database is PostgreSQL.", kind: "fact" });
    const found = [];
    for (let i = 0; i < 3; i += 1) found.push(...(await tl.memory.recall("Which database?")).map(({ text }) => text));
    return { warnings, found: [...new Set(found)] };
  })()`;

  function edgeRuntime(more: object = {}) {
    const requests: string[] = [];
    const fetch = async (url: string) => {
      requests.push(url);
      throw new TypeError("fetch failed");
    };
    const web = { TextEncoder, TextDecoder, URL, atob, btoa, crypto, performance, setTimeout, clearTimeout };
    const context = vm.createContext({ ...web, fetch, AbortController, AbortSignal, ...more });
    vm.runInContext(edgeBundle, context, { filename: "throughline.js" });
    return { context, requests };
  }

  let edgeBundle: string;
  beforeAll(async () => {
    edgeBundle = await bundleNeutral(builtFile("index.js"), "file:///worker.js");
  });

  it("says how to load the token ranks if they can neither be read nor fetched", async () => {
    const { context } = edgeRuntime();
    await expect(vm.runInContext("throughline.createThroughline()", context)).rejects.toMatchObject({
      code: "token-ranks",
      message: expect.stringContaining("await loadTokenRanks(bytes)"),
    });
    expect(() => vm.runInContext("throughline.countTokens('Hello')", context)).toThrow("await loadTokenRanks(bytes)");
  });

  it("remembers and recalls by words, with one warning and one request for the word vectors", async () => {
    const ranks = new Uint8Array(gunzipSync(readFileSync(builtFile("token-ranks.bin"))));
    const { context, requests } = edgeRuntime({ ranks });
    await vm.runInContext("throughline.loadTokenRanks(ranks)", context);
    const { warnings, found } = (await vm.runInContext(use, context)) as Record<string, string[]>;
    expect(found).toContain("The database is PostgreSQL.");
    expect(warnings).toEqual([expect.stringMatching(/searching by words only.*wordEmbedder\(\{ bytes \}\)/)]);
    expect(requests).toEqual(["file:///word-vectors.bin"]);
    // A minute later the word vectors are requested again.
    const later = `{ const now = Date.now() + 60_000; Date.now = () => now; } throughline.wordEmbedder().embed(["shop"])`;
    await expect(vm.runInContext(later, context)).rejects.toMatchObject({ problem: "missing-words" });
    expect(requests).toHaveLength(2);
  });
});

describe("the bundling of this test", () => {
  it.each(["node:fs", "fs", "fs/promises", "node:sqlite"])("fails on an import of %s", async (name) => {
    const file = join(folder, `${name.replaceAll(/\W/g, "-")}.mjs`);
    writeFileSync(file, `export * as node from "${name}";`);
    await expect(bundleNeutral(file)).rejects.toThrow(`imports ${name}, which only Node has`);
  });
});

/** @param url the address of the script; none by default */
async function bundleNeutral(input: string, url?: string): Promise<string> {
  const build = await Rolldown.rolldown({
    input,
    platform: "neutral",
    resolve,
    // A script has no address; the module that asks for its own gets none.
    transform: { define: { "import.meta": JSON.stringify({ url }) } },
    plugins: [
      {
        name: "no-node",
        resolveId(source, importer) {
          if (isBuiltin(source)) throw new Error(`${importer} imports ${source}, which only Node has`);
          return null;
        },
      },
    ],
  });
  const { output } = await build.generate({ format: "iife", name: "throughline", codeSplitting: false });
  await build.close();
  return output[0].code;
}

/** Follows imports as a bundler does: modules, and the files that they name. */
async function bundleForBrowsers(input: string, dir: string): Promise<void> {
  const build = await Rolldown.rolldown({
    input,
    platform: "browser",
    resolve,
    experimental: { resolveNewUrlToAsset: true },
  });
  await build.write({ dir, format: "esm", entryFileNames: "[name].js" });
  await build.close();
}

/** Opens a page of a folder, served over HTTP. */
async function visit(site: string, page: string): Promise<unknown> {
  const types: Record<string, string> = { ".html": "text/html", ".js": "text/javascript" };
  const server = createServer(({ url = "" }, response) => {
    const file = readdirSync(site, { recursive: true, encoding: "utf8" }).find((name) => url === `/${name}`);
    response.writeHead(file ? 200 : 404, { "content-type": types[extname(url)] ?? "application/octet-stream" });
    response.end(file && readFileSync(join(site, file)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await readPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${page}`);
  } finally {
    server.close();
  }
}

/** The statement of a page that displays its result. */
function show(expression: string): string {
  return `document.title = "loaded"; document.body.textContent = "RESULT " + ${expression} + " END";`;
}

async function readPage(url: string): Promise<unknown> {
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];
  const quiet = ["--disable-component-update", "--disable-sync", `--user-data-dir=${join(folder, "profile")}`];
  // Waits for pending fetches, in the page's own time.
  const wait = "--virtual-time-budget=20000";
  const { stdout } = await promisify(execFile)(chromium(), [...flags, ...quiet, wait, "--dump-dom", url], {
    timeout: 110_000,
    maxBuffer: 256 * 1024 * 1024,
  });
  const result = /<body>RESULT (.*) END/.exec(stdout)?.[1];
  if (result === undefined) throw new Error("the page did not run: the bundle does not load in Chromium");
  return JSON.parse(result);
}

/** `npm test` sets the path. Other runs find the program, or install it if permitted, in the same way. */
function chromium(): string {
  const tool = fileURLToPath(new URL("../../../tools/ensure/ensure-program.mjs", import.meta.url));
  return process.env.THROUGHLINE_CHROMIUM ?? execFileSync(process.execPath, [tool], { encoding: "utf8" }).trim();
}
