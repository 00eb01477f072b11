import process from "node:process";
import { styleText } from "node:util";
import type { Command } from "commander";
import { omitUndefined } from "throughline/internal";
import { findData } from "../data/open-data.ts";
import { jsonOption } from "../options.ts";
import { printJson } from "../print-json.ts";
import { printableLine } from "../printable.ts";
import { configFile } from "./config-file.ts";
import { surroundings } from "./environment.ts";
import { findSettings, SETTING_NAMES, type SettingInForce } from "./read-settings.ts";
import { SETTINGS, type Setting, type SettingName } from "./settings.ts";

interface ConfigOptions {
  readonly data?: string;
  readonly json?: boolean;
}

/** What is said beside the settings themselves. */
interface Places {
  /** The file of the settings. */
  readonly file: string;
  /** Where the data is. */
  readonly data: string;
}

export function addConfigCommand(program: Command): void {
  program
    .command("config")
    .summary("show the settings")
    .description("show what is set, and from where: a flag, the environment, the file, or what holds anyway")
    .addOption(jsonOption())
    .addHelpText("after", afterword)
    .action((_, command: Command) => showConfig(command.optsWithGlobals()));
}

const WIDEST = Math.max(...SETTING_NAMES.map((name) => name.length));

function afterword(): string {
  const names = SETTING_NAMES.map((name) => `  ${name.padEnd(WIDEST)}  ${SETTINGS[name].variable}`);
  return `
Settings by their names in the file and in the environment:
${names.join("\n")}
The file is JSON, such as { "port": 5000 }; THROUGHLINE_CONFIG names another one.
A flag goes before the environment, and that before the file. Paths in the file are
seen from its folder. Of database_url and data the stronger one holds, and database_url
where both are set in the same place: --data is always a folder.

Example:
  THROUGHLINE_PORT=5000 throughline config`;
}

function showConfig(options: ConfigOptions): void {
  const { data, json } = options;
  const inForce = findSettings(omitUndefined({ data }));
  const places = { file: configFile(surroundings()).file, data: findData(options).file };
  process.stdout.write(json ? printJson({ ...places, settings: asJson(inForce) }) : printSettings(places, inForce));
}

function asJson(inForce: readonly SettingInForce[]): object {
  return Object.fromEntries(inForce.map(({ name, value, source }) => [name, { value: shown(name, value), source }]));
}

function printSettings({ file, data }: Places, inForce: readonly SettingInForce[]): string {
  const known = new Map(inForce.map((one) => [one.name, one]));
  const lines = SETTING_NAMES.flatMap((name) => {
    const { variable, description } = SETTINGS[name];
    const one = known.get(name);
    const value =
      one === undefined
        ? styleText("dim", "not set")
        : `${text(shown(name, one.value))} ${styleText("dim", `(${one.source})`)}`;
    return [
      `  ${name.padEnd(WIDEST)}  ${value}`,
      styleText("dim", `  ${"".padEnd(WIDEST)}  ${description}; ${variable}`),
    ];
  });
  return `${["Settings:", ...lines, "", `File: ${file}`, `Data: ${data}`].join("\n")}\n`;
}

/** A secret is never shown, not even in part. */
function shown(name: SettingName, value: unknown): unknown {
  const { isSecret }: Setting = SETTINGS[name];
  return isSecret ? "(set)" : value;
}

function text(value: unknown): string {
  return printableLine(Array.isArray(value) ? value.join(", ") : String(value));
}
