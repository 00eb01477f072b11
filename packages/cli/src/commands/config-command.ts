import { styleText } from "node:util";
import type { Command } from "commander";
import { omitUndefined } from "throughline/internal/util";
import { environment } from "../config/environment.ts";
import { configFile, type ResolvedSetting, resolveSettings, SETTING_NAMES } from "../config/read-settings.ts";
import { SETTINGS, type Setting, type SettingName } from "../config/settings.ts";
import { findData } from "../data/open-data.ts";
import { jsonOption } from "../terminal/options.ts";
import { printableLine, printResult } from "../terminal/print-values.ts";

interface ConfigOptions {
  readonly data?: string;
  readonly json?: boolean;
}

/** Paths that are printed below the settings. */
interface Places {
  /** Path of the settings file. */
  readonly file: string;
  /** Location of the data. */
  readonly data: string;
}

export function addConfigCommand(program: Command): void {
  program
    .command("config")
    .summary("Show the settings")
    .description("Show each setting, its value, and its source (flag, environment, file or default).")
    .addOption(jsonOption())
    .addHelpText("after", afterword)
    .action((_, command: Command) => showConfig(command.optsWithGlobals()));
}

const MAX_NAME_LENGTH = Math.max(...SETTING_NAMES.map((name) => name.length));

function afterword(): string {
  const names = SETTING_NAMES.map((name) => `  ${name.padEnd(MAX_NAME_LENGTH)}  ${SETTINGS[name].variable}`);
  return `
Settings, by name in the file and in the environment:
${names.join("\n")}
The file is JSON, such as { "port": 5000 }. THROUGHLINE_CONFIG selects another
one. A flag overrides the environment, which overrides the file. Relative paths
in the file start at its folder. If both database_url and data are set, the
stronger source wins; at the same level, database_url wins. --data always means
a folder.

Example:
  THROUGHLINE_PORT=5000 throughline config`;
}

function showConfig(options: ConfigOptions): void {
  const { data, json } = options;
  const inForce = resolveSettings(omitUndefined({ data }));
  const places = { file: configFile(environment()).file, data: findData(options).file };
  printResult({ json }, { ...places, settings: asJson(inForce) }, () => printSettings(places, inForce));
}

function asJson(inForce: readonly ResolvedSetting[]): object {
  return Object.fromEntries(inForce.map(({ name, value, source }) => [name, { value: shown(name, value), source }]));
}

function printSettings({ file, data }: Places, inForce: readonly ResolvedSetting[]): string {
  const known = new Map(inForce.map((one) => [one.name, one]));
  const lines = SETTING_NAMES.flatMap((name) => {
    const { variable, description } = SETTINGS[name];
    const one = known.get(name);
    const value =
      one === undefined
        ? styleText("dim", "not set")
        : `${text(shown(name, one.value))} ${styleText("dim", `(${one.source})`)}`;
    return [
      `  ${name.padEnd(MAX_NAME_LENGTH)}  ${value}`,
      styleText("dim", `  ${"".padEnd(MAX_NAME_LENGTH)}  ${description}; ${variable}`),
    ];
  });
  return `${["Settings:", ...lines, "", `File: ${file}`, `Data: ${data}`].join("\n")}\n`;
}

/** Secrets are never shown, not even in part. */
function shown(name: SettingName, value: unknown): unknown {
  const { isSecret }: Setting = SETTINGS[name];
  if (isSecret) return "(set)";
  return name.endsWith("_url") && typeof value === "string" ? withoutCredentials(value) : value;
}

/** A URL without user, password and query, which may contain a key. */
function withoutCredentials(url: string): string {
  return url.replace(/\/\/[^/?#]*@/, "//(hidden)@").replace(/\?.*$/s, "?(hidden)");
}

function text(value: unknown): string {
  return printableLine(Array.isArray(value) ? value.join(", ") : String(value));
}
