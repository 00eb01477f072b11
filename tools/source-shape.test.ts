import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./run/paths.mjs";

const MAX_LINES = 400;
const MAX_FILES = 15;
/** A generated table. */
const DATA = ["packages/throughline/src/tokens/model-windows-table.ts"];
/** One file per command. */
const LISTS = ["packages/cli/src/commands"];

const isTest = (file: string) => /\.(?:test|fixture|arbitrary)\.tsx?$/.test(file);
const files = globSync(["packages/*/src/**/*.{ts,tsx}", "apps/studio/src/**/*.{ts,tsx,css}"], { cwd: root })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => !isTest(file));

describe("the source", () => {
  it("has at most 400 lines in a file", () => {
    const long = files.filter((file) => readFileSync(`${root}/${file}`, "utf8").split("\n").length - 1 > MAX_LINES);
    expect(files.length).toBeGreaterThan(500);
    expect(long).toEqual(DATA);
  });

  it("has at most 15 files in a folder, except for lists", () => {
    const byFolder = Map.groupBy(files, dirname);
    const full = [...byFolder].filter(([, inside]) => inside.length > MAX_FILES).map(([folder]) => folder);
    expect(full).toEqual(LISTS);
  });
});
