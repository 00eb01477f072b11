import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { packageFolder } from "./built.ts";

const root = path.join(packageFolder, "..", "..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");

describe("the README's first example", () => {
  it("is what examples/coding-agent.ts does, line by line", () => {
    const [, first = ""] = /```ts\n([\s\S]*?)```/.exec(read("README.md")) ?? [];
    const lines = first.split("\n").filter((line) => line !== "");
    const example = read("examples/coding-agent.ts").split("\n");
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.filter((line) => !example.includes(line))).toEqual([]);
  });

  it("needs three lines of ours", () => {
    const ours = read("examples/coding-agent.ts").match(/← Throughline$/gm);
    expect(ours).toHaveLength(3);
  });
});
