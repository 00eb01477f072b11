import { readFileSync } from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { codeBlocks, commandsIn } from "../../../tools/docs/doc-pages.mjs";
import { CLI_PAGE, renderCliDocs } from "../../../tools/docs/make-cli-docs.mjs";
import { root } from "../../../tools/run/paths.mjs";
import { DEFAULTS, SETTINGS } from "../src/config/settings.ts";
import { createProgram } from "../src/main.ts";

const page = readFileSync(CLI_PAGE, "utf8");

describe("docs/cli.md", () => {
  it("is what `npm run docs:generate` writes", () => {
    expect(page, "Run npm run docs:generate.").toBe(renderCliDocs(createProgram()));
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

describe("the commands in the documentation", () => {
  const commands = codeBlocks().flatMap((block) => commandsIn(block).map((words) => [words.join(" "), words] as const));

  it.each(commands)("throughline %s has known commands and options", (_, words) => {
    expect(unknownIn(words)).toEqual([]);
  });
});

/** Words that are not commands, and options that the command does not have. */
function unknownIn(words: readonly string[]): string[] {
  let command: Command = createProgram();
  const rest = [...words];
  for (let name = rest[0]; name !== undefined; name = rest[0]) {
    const next = command.commands.find((one) => one.name() === name || one.aliases().includes(name));
    if (next === undefined) break;
    command = next;
    rest.shift();
  }
  const { operands, unknown } = command.parseOptions(rest);
  const global = createProgram()
    .parseOptions(unknown)
    .unknown.filter((word) => word !== "--help");
  const takesOperands = command.registeredArguments.length > 0;
  return [...(takesOperands ? [] : operands), ...global.filter((word) => word.startsWith("-"))];
}

describe("docs/configuration.md", () => {
  const text = readFileSync(path.join(root, "docs", "configuration.md"), "utf8");

  it("has every setting of the command line, with its environment variable", () => {
    const names = Object.entries(SETTINGS).flatMap(([name, { variable }]) => [name, variable]);
    expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  it("has their defaults", () => {
    for (const [name, value] of Object.entries(DEFAULTS)) {
      expect(text).toMatch(new RegExp(`^\\| \`${name}\` \\| \`\\w+\` \\| \`?${value}\`? \\|`, "m"));
    }
  });
});
