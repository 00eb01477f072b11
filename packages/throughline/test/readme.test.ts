import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
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

describe("docs/agents.md", () => {
  it("begins with lines of examples/coding-agent.ts, three of which are ours", () => {
    const lines = (blocks("docs/agents.md")[0] ?? "").split("\n").filter((line) => line !== "");
    const example = read("examples/coding-agent.ts");
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.filter((line) => !example.split("\n").includes(line))).toEqual([]);
    expect(example.match(/← Throughline$/gm)).toHaveLength(3);
  });
});

/** Output of a module. In the package's folder, the package name resolves to the built files, as for users. */
function run(code: string): string {
  builtFile("index.js");
  return execFileSync(process.execPath, ["--input-type=module", "--eval", code], {
    cwd: packageFolder,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  });
}
