import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { build } from "vite";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createServer, type RunningServer } from "../../../packages/server/src/server.ts";
import { sharedBrowser } from "../../../packages/throughline/test/browser/open-browser.ts";
import { longTest } from "../../../packages/throughline/test/long-tests.ts";
import { offline } from "../vite-plugins.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
let browser: Browser;
let folder: string;
let context: BrowserContext;
let page: Page;
let server: RunningServer;

beforeAll(async () => {
  browser = await sharedBrowser();
  folder = await mkdtemp(join(tmpdir(), "throughline-offline-"));
});

afterAll(async () => {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  context = await browser.newContext();
  page = await context.newPage();
});

afterEach(async () => {
  await context.close();
  await server.close();
});

describe("the built Studio", () => {
  it("opens without its server after the first visit", async () => {
    const studio = here("../../../packages/cli/dist/studio");
    const refused: string[] = [];
    page.on("console", (message) => {
      if (message.text().includes("Content Security Policy")) refused.push(message.text());
    });
    server = await createServer({ port: 0, studio });
    await page.goto(server.url);
    await page.locator("#root > *").first().waitFor();
    await underControl();
    const all = await pathsOf(studio);
    const [webLlm = ""] = all.filter(isWebLlm);
    const vectors = await findVectors(studio);
    const [ranks = "", ...others] = (await keptPaths()).filter((path) => path.endsWith(".bin"));
    expect(ranks).toMatch(/^\/assets\/token-ranks-/);
    expect(others).toEqual([]);
    expect(await keptPaths()).toEqual(expect.arrayContaining(all.filter((path) => !isWebLlm(path))));
    // A first visit needs neither the code of WebLLM nor the word vectors. They are cached once they are used.
    for (const path of [webLlm, vectors]) {
      expect(await keptPaths()).not.toContain(path);
      await page.evaluate(async (file) => void (await (await fetch(file)).arrayBuffer()), path);
      expect(await keptPaths()).toContain(path);
    }

    await server.close();
    await page.goto(`${server.url}/`);
    await page.locator("#root > *").first().waitFor();
    const library = here("../../../packages/throughline/dist");
    const sizes = await Promise.all(
      ["token-ranks.bin", "word-vectors.bin"].map(async (name) => (await stat(join(library, name))).size),
    );
    expect(await page.evaluate(fetchSizes, [ranks, vectors])).toEqual(sizes);
    expect(refused).toEqual([]);
  });
});

describe("without its server", () => {
  it("a page opens at any address, with files that it had not loaded yet", async () => {
    server = await createServer({ port: 0, studio: await small("one") });
    await page.goto(server.url);
    await underControl();
    await server.close();
    await page.goto(`${server.url}/c/anything?at=2`);
    expect(await page.textContent("h1")).toBe("one");
    expect(await later()).toBe("later one");
  });

  it("requests to models and other servers are not cached", async () => {
    const elsewhere = createHttpServer((_request, response) => {
      response.writeHead(200, { "access-control-allow-origin": "*" }).end("elsewhere");
    }).listen(0, "127.0.0.1");
    await once(elsewhere, "listening");
    const foreign = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/assets/x.js`;
    server = await createServer({ port: 0, studio: await small("one") });
    await page.goto(server.url);
    await underControl();
    const status = (url: string) =>
      page.evaluate(async (address) => (await fetch(address).catch(() => ({ status: 0 }))).status, url);
    expect([await status("/v1/models"), await status("/healthz"), await status(foreign)]).toEqual([404, 200, 200]);
    await server.close();
    elsewhere.close().closeAllConnections();
    expect([await status("/v1/models"), await status("/healthz"), await status(foreign)]).toEqual([0, 0, 0]);
    expect(await keptPaths()).toEqual(await pathsOf(join(folder, "one")));
  });
});

describe("a new build", () => {
  longTest("takes over without touching an open page, and is seen with the next visit", async () => {
    server = await createServer({ port: 0, studio: await small("one") });
    await page.goto(server.url);
    await underControl();
    await page.fill("textarea", "half a thought");

    await replace("two");
    expect(await page.textContent("h1")).toBe("one");
    expect(await page.inputValue("textarea")).toBe("half a thought");
    // Its server has that file no more.
    expect(await later()).toBe("later one");

    await page.reload();
    expect(await page.textContent("h1")).toBe("two");
    expect(await keptBuilds()).toBe(2);
    await replace("three");
    expect(await keptBuilds()).toBe(2);
    await server.close();
    await page.reload();
    expect(await page.textContent("h1")).toBe("three");
  });

  longTest("that cannot be kept whole leaves the one before it in its place", async () => {
    server = await createServer({ port: 0, studio: await small("one") });
    await page.goto(server.url);
    await underControl();
    const broken = await small("broken");
    await rm(join(broken, "icon.svg"));
    await restart(broken);
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      await registration.update();
      const { installing } = registration;
      await new Promise<void>((resolve) => {
        installing?.addEventListener("statechange", () => {
          if (installing.state === "redundant") resolve();
        });
      });
    });
    await server.close();
    await page.reload();
    expect({ title: await page.textContent("h1"), builds: await keptBuilds() }).toEqual({ title: "one", builds: 1 });
  });
});

const built = new Map<string, Promise<string>>();

/** A small app, built with the Studio's service worker, and its folder. */
function small(title: string): Promise<string> {
  const build = built.get(title) ?? buildSmall(title);
  built.set(title, build);
  return build;
}

async function buildSmall(title: string): Promise<string> {
  const root = await mkdtemp(join(folder, "source-"));
  const register = JSON.stringify(here("../src/offline/register.ts"));
  const files = {
    "index.html": `<!doctype html><h1>${title}</h1><textarea></textarea><script type="module" src="./main.js"></script>`,
    "main.js": `import ${register}; window.later = () => import("./later.js").then(({ text }) => text);`,
    "later.js": `export const text = "later ${title}";`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text);
  const outDir = join(folder, title);
  const publicDir = here("../public");
  // Vite takes a test for no production.
  const define = { "import.meta.env.PROD": "true" };
  const written = { outDir, emptyOutDir: true };
  await build({ configFile: false, root, publicDir, logLevel: "warn", define, plugins: [offline()], build: written });
  return outDir;
}

/** The same address with another build behind it. */
async function restart(studio: string): Promise<void> {
  await server.close();
  server = await createServer({ port: server.port, studio });
}

/** Replaces the old build with a new one and waits until it is active. */
async function replace(title: string): Promise<void> {
  await restart(await small(title));
  await page.evaluate(async () => {
    const taken = new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve));
    await (await navigator.serviceWorker.ready).update();
    await taken;
  });
  await underControl();
}

async function underControl(): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
}

function later(): Promise<string> {
  return page.evaluate(() => (window as unknown as { later(): Promise<string> }).later());
}

function keptBuilds(): Promise<number> {
  return page.evaluate(async () => (await caches.keys()).length);
}

function keptPaths(): Promise<string[]> {
  return page.evaluate(async () => {
    const [name = ""] = await caches.keys();
    return (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname).sort();
  });
}

/** Runs in the page. */
function fetchSizes(paths: readonly string[]): Promise<number[]> {
  return Promise.all(paths.map(async (path) => (await (await fetch(path)).arrayBuffer()).byteLength));
}

function isWebLlm(path: string): boolean {
  return /^\/assets\/web-llm-[^/]*\.js$/.test(path);
}

/** Path of the word vectors, which the server has from the library, as the code names it. */
async function findVectors(studio: string): Promise<string> {
  const scripts = (await pathsOf(studio)).filter((path) => path.endsWith(".js"));
  for (const path of scripts) {
    const [, name] = /(word-vectors-[\w-]{1,20}\.bin)/.exec(await readFile(join(studio, path), "utf8")) ?? [];
    if (name !== undefined) return `/assets/${name}`;
  }
  throw new Error("No script names the word vectors.");
}

/** All that a build has but the service worker itself. */
async function pathsOf(studio: string): Promise<string[]> {
  const files = await readdir(studio, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile() && file.name !== "sw.js")
    .map(({ parentPath, name }) => join(parentPath, name).slice(studio.length).replaceAll("\\", "/"))
    .sort();
}
