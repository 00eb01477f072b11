import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import vm from "node:vm";
import { Rolldown } from "tsdown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtFile } from "./built.ts";

// The root entry with all that it imports, third-party packages included, as one script without modules.
let bundle: string;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "throughline-neutral-"));
  bundle = await bundleNeutral(builtFile("index.js"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A use of the package and of a dependency, its result as JSON. */
const probe = `JSON.stringify({
  tokens: throughline.countTokens("Hello, world"),
  violations: throughline.validateWindow(
    throughline.convertChatToRich([
      { role: "user", content: "How warm is it in Zürich?" },
      { role: "tool", tool_call_id: "lost", content: "21 °C" },
    ]),
    "openai",
  ).map(({ code }) => code),
})`;

const expected = { tokens: 3, violations: ["orphan-result"] };

describe("the root entry", () => {
  it("imports nothing of Node, and neither do its dependencies", () => {
    // Bundling fails on the first import of Node.
    expect(bundle.length).toBeGreaterThan(10_000);
  });

  it("works where there is nothing but the language and five web globals", () => {
    const context = vm.createContext({ TextEncoder, TextDecoder, URL, atob, btoa });
    vm.runInContext(bundle, context, { filename: "throughline.js" });
    const result: unknown = vm.runInContext(probe, context);
    expect(JSON.parse(String(result))).toEqual(expected);
  });

  it("works in Chromium", () => {
    expect(runInChromium(bundle, probe)).toEqual(expected);
  });
});

describe("the bundling of this test", () => {
  it.each(["node:fs", "fs", "fs/promises", "node:sqlite"])("fails on an import of %s", async (name) => {
    const file = join(folder, `${name.replaceAll(/\W/g, "-")}.mjs`);
    writeFileSync(file, `export * as node from "${name}";`);
    await expect(bundleNeutral(file)).rejects.toThrow(`imports ${name}, which only Node has`);
  });
});

async function bundleNeutral(input: string): Promise<string> {
  const build = await Rolldown.rolldown({
    input,
    platform: "neutral",
    resolve: { mainFields: ["module", "main"], conditionNames: ["import", "default"] },
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

function runInChromium(script: string, expression: string): unknown {
  const page = join(folder, "page.html");
  // Text of the bundle must not end the script element.
  const inline = (text: string) => `<script>${text.replaceAll("</script", "<\\/script")}</script>`;
  const show = `document.title = "loaded"; document.body.textContent = "RESULT " + ${expression} + " END";`;
  writeFileSync(page, `<!doctype html><meta charset="utf-8"><body>${inline(script)}${inline(show)}`);
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];
  const quiet = ["--disable-component-update", "--disable-sync", `--user-data-dir=${join(folder, "profile")}`];
  const dom = execFileSync(chromium(), [...flags, ...quiet, "--dump-dom", pathToFileURL(page).href], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    timeout: 50_000,
    maxBuffer: 256 * 1024 * 1024,
  });
  const result = /<body>RESULT (.*) END/.exec(dom)?.[1];
  if (result === undefined) throw new Error("the page did not run: the bundle does not load in Chromium");
  return JSON.parse(result);
}

/** `npm test` gives the path; a run without it looks, and installs if it may, in the same way. */
function chromium(): string {
  const tool = fileURLToPath(new URL("../../../tools/ensure-program.mjs", import.meta.url));
  return process.env.THROUGHLINE_CHROMIUM ?? execFileSync(process.execPath, [tool], { encoding: "utf8" }).trim();
}
