import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { builtFile, packageFolder } from "./built.ts";

const root = path.join(packageFolder, "..", "..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const blocks = (file: string) => [...read(file).matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
const [quickStart = "", withModel = "", memory = ""] = blocks("README.md");

/** Replaces a provider, so that no key is needed. */
const MODEL = `import { MockLanguageModelV4 } from "ai/test";
const tokens = { total: 9, noCache: 9, cacheRead: 0, cacheWrite: 0 };
const openai = () => new MockLanguageModelV4({
  doGenerate: async () => ({
    content: [{ type: "text", text: "Which currency?" }],
    finishReason: { unified: "stop", raw: "stop" },
    usage: { inputTokens: tokens, outputTokens: { total: 3, text: 3, reasoning: 0 } },
    warnings: [],
  }),
});`;

describe("README", () => {
  it("has three examples, the first of eight lines", () => {
    expect(blocks("README.md")).toHaveLength(3);
    expect(quickStart.trimEnd().split("\n")).toHaveLength(8);
  });

  it("shows a quick start that prints the window and its receipt", () => {
    const printed = run(quickStart);
    expect(printed).toContain("Totals are off by a cent. Never touch src/legacy.");
    expect(printed).toMatch(/rule.*role.*tokens/);
    expect(printed).toMatch(/'system'.*'system'[\s\S]*'task'.*'user'/);
  });

  it("shows how to wrap a model of the AI SDK, which stores question and answer", () => {
    const code = withModel.replace('import { openai } from "@ai-sdk/openai";', MODEL);
    const history = "console.log(JSON.stringify((await session.history()).map(({ role }) => role)));";
    expect(run(`${code}\n${history}`).trim()).toBe('["user","assistant"]');
  });

  it("shows a memory that replaces another and is recalled", () => {
    const printed = run(memory);
    expect(printed).toContain("The team uses PostgreSQL.");
    expect(printed).not.toContain("The team uses MySQL.");
  });
});

/** Programs by the heading above them. */
const recipes = [...read("docs/recipes.md").matchAll(/^## (.+)$([\s\S]*?)(?=^## |(?![\s\S]))/gm)].flatMap(
  ([, title = "", section = ""]) =>
    [...section.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => [title, code] as const),
);
/** A program for another runtime, which imports files as bytes. `npm run test:runtimes` runs such a program. */
const isForEdge = ([, code]: (typeof recipes)[number]) => code.includes("export default");

describe("docs/recipes.md", () => {
  it("has programs, all but one of which run in Node", () => {
    expect(recipes.length).toBeGreaterThan(7);
    expect(recipes.filter(isForEdge)).toHaveLength(1);
  });

  it.each(recipes.filter((recipe) => !isForEdge(recipe)))("shows a program that runs: %s", (_, code) => {
    const printed = run(stripTypeScriptTypes(code));
    // A comment behind a printed value says what is in it.
    for (const [, said = ""] of code.matchAll(/^console\.log\(.*\); \/\/ "?(.+?)"?$/gm))
      expect(printed).toContain(said);
  });

  it("shows how to check a window, with an error that says what is wrong", () => {
    const [, code = ""] = recipes.find(([title]) => title.startsWith("Check a window")) ?? [];
    expect(code).toContain('role: "user"');
    const { status, stderr } = start(code.replace('role: "user"', 'role: "assistant"'));
    expect(status).toBe(1);
    expect(stderr).toMatch(/Error: message 0: .*user/);
  });
});

describe("docs/agents.md", () => {
  it("begins with lines of examples/coding-agent.ts, three of which are ours", () => {
    const lines = (blocks("docs/agents.md")[0] ?? "").split("\n").filter((line) => line !== "");
    const example = read("examples/coding-agent.ts");
    expect(lines.length).toBeGreaterThan(3);
    // The example imports more of the AI SDK than these lines need.
    const [first = "", ...others] = lines;
    expect(others.filter((line) => !example.split("\n").includes(line))).toEqual([]);
    const names = (/^import \{ (.+) \} from "ai";/.exec(first)?.[1] ?? "unknown").split(", ");
    const imported = /^import \{ (.+) \} from "ai";$/m.exec(example)?.[1]?.split(", ");
    expect(names.filter((name) => !imported?.includes(name))).toEqual([]);
    expect(example.match(/← Throughline$/gm)).toHaveLength(3);
  });
});

/** Output of a module. In the package's folder, the package name resolves to the built files, as for users. */
function run(code: string): string {
  const { status, stdout, stderr } = start(code);
  expect(status, stderr).toBe(0);
  return stdout;
}

function start(code: string) {
  builtFile("index.js");
  return spawnSync(process.execPath, ["--input-type=module", "--eval", code], {
    cwd: packageFolder,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  });
}
