import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { CLI_PAGE, renderCliDocs } from "../../../tools/make-cli-docs.mjs";
import { root } from "../../../tools/paths.mjs";
import { SETTINGS } from "../src/config/settings.ts";
import { createProgram } from "../src/main.ts";

const page = readFileSync(CLI_PAGE, "utf8");

describe("docs/cli.md", () => {
  it("is what `npm run docs` writes", () => {
    expect(page, "Run npm run docs.").toBe(renderCliDocs(createProgram()));
  });

  it("has a section for every command and subcommand, with all options", () => {
    const headings = page.match(/^#{2,} .*$/gm)?.map((line) => line.replace(/^#+ /, "")) ?? [];
    for (const command of createProgram().commands) {
      const names = [command.name(), ...command.commands.map((one) => `${command.name()} ${one.name()}`)];
      expect(headings).toEqual(expect.arrayContaining(names));
      for (const { long, hidden } of command.options) if (!hidden) expect(page).toContain(String(long));
    }
  });
});

describe("docs/configuration.md", () => {
  it("has every setting of the command line, with its environment variable", () => {
    const text = readFileSync(path.join(root, "docs", "configuration.md"), "utf8");
    const names = Object.entries(SETTINGS).flatMap(([name, { variable }]) => [name, variable]);
    expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});
