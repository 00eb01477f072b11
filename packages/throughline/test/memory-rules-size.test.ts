import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const SOURCE = fileURLToPath(new URL("../src", import.meta.url));
/** Folders of the rules that extract, compare and outdate statements. */
const RULES = ["extract", "facts", "reconcile", "staleness"].map((name) => `memory/${name}/`);
const LANGUAGE = "language/";
const NO_SOURCE = /\.(?:test|fixture|arbitrary)\.ts$/;
const MAX_LINES = 4_500;

const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
  .map((file) => file.split(path.sep).join("/"))
  .filter((file) => file.endsWith(".ts") && !NO_SOURCE.test(file))
  .map((file) => ({ file, text: readFileSync(path.join(SOURCE, file), "utf8") }));

function isRule(file: string): boolean {
  return RULES.some((folder) => file.startsWith(folder));
}

function countLines(text: string): number {
  return text.split("\n").length - 1;
}

/** Share of the importers of a file outside `language/` that are in the folders of the rules. */
function shareOf(wanted: string): number {
  const importers = files.filter(({ file, text }) => {
    const imports = [...text.matchAll(/from "(\.[^"]+)"/g)].map(([, to = ""]) =>
      path.posix.join(path.posix.dirname(file), to),
    );
    return !file.startsWith(LANGUAGE) && imports.includes(wanted);
  });
  return importers.length === 0 ? 0 : importers.filter(({ file }) => isRule(file)).length / importers.length;
}

describe("the rules of memory", () => {
  it(`have at most ${MAX_LINES} lines, with their share of language/`, () => {
    const own = files.filter(({ file }) => isRule(file)).reduce((sum, { text }) => sum + countLines(text), 0);
    const shared = files
      .filter(({ file }) => file.startsWith(LANGUAGE))
      .reduce((sum, { file, text }) => sum + countLines(text) * shareOf(file), 0);
    expect(Math.round(own + shared)).toBeLessThanOrEqual(MAX_LINES);
  });
});
