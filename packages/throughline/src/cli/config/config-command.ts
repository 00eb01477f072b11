import process from "node:process";
import { styleText } from "node:util";
import type { Command } from "commander";
import { findData } from "../data/open-data.ts";
import { jsonOption } from "../options.ts";
import { printJson } from "../print-json.ts";
import { configFile } from "./config-file.ts";
import { findSettings, SETTING_NAMES, type SettingInForce, surroundings } from "./read-settings.ts";
import { SETTINGS, type Setting, type SettingName, type SettingValues } from "./settings.ts";

interface ConfigOptions {
  readonly data?: string;
  readonly json?: boolean;
}

export function addConfigCommand(program: Command): void {
  program
    .command("config")
    .summary("show the settings")
    .description("show what is set, and from where: a flag, the environment, the file, or what holds anyway")
    .addOption(jsonOption())
    .addHelpText("after", AFTERWORD)
    .action((_, command: Command) => showConfig(command.optsWithGlobals()));
}

const AFTERWORD = `
The file is JSON with the names that this command lists, such as { "port": 5000 }; THROUGHLINE_CONFIG names another one.

Example:
  THROUGHLINE_PORT=5000 throughline config`;

function showConfig({ data, json }: ConfigOptions): void {
  const flags: SettingValues = data === undefined ? {} : { data };
  const inForce = findSettings(flags);
  const { file } = configFile(surroundings());
  process.stdout.write(
    json ? printJson(asJson(file, inForce)) : printSettings(file, inForce, findData({ ...flags }).file),
  );
}

function asJson(file: string, inForce: readonly SettingInForce[]) {
  const settings = Object.fromEntries(
    inForce.map(({ name, value, source }) => [name, { value: shown(name, value), source }]),
  );
  return { file, settings };
}

function printSettings(file: string, inForce: readonly SettingInForce[], database: string): string {
  const known = new Map(inForce.map((one) => [one.name, one]));
  const widest = Math.max(...SETTING_NAMES.map((name) => name.length));
  const lines = SETTING_NAMES.map((name) => {
    const { variable, description } = SETTINGS[name];
    const one = known.get(name);
    const value =
      one === undefined
        ? styleText("dim", "not set")
        : `${text(shown(name, one.value))} ${styleText("dim", `(${one.source})`)}`;
    return `  ${name.padEnd(widest)}  ${value}\n  ${"".padEnd(widest)}  ${styleText("dim", `${description}; ${variable}`)}`;
  });
  return `${["Settings:", ...lines, "", `File: ${file}`, `Data: ${database}`].join("\n")}\n`;
}

/** A secret is never shown, not even in part. */
function shown(name: SettingName, value: unknown): unknown {
  const { isSecret }: Setting = SETTINGS[name];
  return isSecret ? "(set)" : value;
}

function text(value: unknown): string {
  return Array.isArray(value) ? value.join(", ") : String(value);
}
