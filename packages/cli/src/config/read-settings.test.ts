import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { UsageError } from "../usage-error.ts";
import type { Environment } from "./environment.ts";
import { configFile, readSettings, resolveSettings, SETTING_NAMES } from "./read-settings.ts";
import { DEFAULTS, SETTINGS, type Setting, type SettingName, type SettingValues } from "./settings.ts";

const folder = mkdtempSync(path.join(tmpdir(), "throughline-settings-"));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function configOf(content: unknown): string {
  files += 1;
  const file = path.join(folder, `config-${files}.json`);
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

function writeConfig(file: string, content: unknown): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(content));
}

function around(env: Environment["env"]): Environment {
  return { platform: "linux", env, home: path.join(folder, "home") };
}

/** Resolves settings from this file, environment and flags. */
function inForce(file: unknown, env: Environment["env"] = {}, flags: SettingValues = {}) {
  return resolveSettings(flags, around({ ...env, THROUGHLINE_CONFIG: configOf(file) }));
}

function problemOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof UsageError) return `${error.message}\n${error.advice}`;
    throw error;
  }
  throw new Error("Nothing was refused.");
}

/** Values of each setting, as written in the file and in the environment. */
const VALUES: Readonly<Record<SettingName, fc.Arbitrary<unknown>>> = {
  data: fc.stringMatching(/^\/[a-z]{1,9}$/),
  database_url: fc.stringMatching(/^postgres:\/\/[a-z]{1,9}$/),
  exclude: fc.array(fc.stringMatching(/^~\/[a-z]{1,9}$/), { minLength: 1 }),
  project: fc.stringMatching(/^[a-z]{1,9}$/),
  host: fc.ipV4(),
  port: fc.integer({ min: 0, max: 65_535 }),
  require_token: fc.boolean(),
  allowed_hosts: fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1 }),
  rate_limit: fc.integer({ min: 1, max: 9_999 }),
  max_index_mb: fc.integer({ min: 1, max: 9_999 }),
  search_workers: fc.integer({ min: 0, max: 64 }),
  model_url: fc.webUrl(),
  model_key: fc.stringMatching(/^[a-z]{1,9}$/),
  model: fc.stringMatching(/^[a-z]{1,9}$/),
  embedder_url: fc.webUrl(),
  embedder_key: fc.stringMatching(/^[a-z]{1,9}$/),
  embedder_model: fc.stringMatching(/^[a-z]{1,9}$/),
  anthropic_url: fc.webUrl(),
  anthropic_key: fc.stringMatching(/^[a-z]{1,9}$/),
  gemini_url: fc.webUrl(),
  gemini_key: fc.stringMatching(/^[a-z]{1,9}$/),
  encryption_key: fc.stringMatching(/^[a-z]{1,9}$/),
  encryption_key_file: fc.stringMatching(/^\/[a-z]{1,9}$/),
};

describe("resolveSettings", () => {
  it("takes each setting from the strongest source that has it: flag, environment, file, default", () => {
    const one = fc.constantFrom(...SETTING_NAMES).chain((name) =>
      fc.record({
        name: fc.constant(name),
        flag: fc.option(VALUES[name], { nil: undefined }),
        environment: fc.option(VALUES[name], { nil: undefined }),
        file: "notInFile" in SETTINGS[name] ? fc.constant(undefined) : fc.option(VALUES[name], { nil: undefined }),
      }),
    );
    fc.assert(
      fc.property(one, ({ name, flag, environment, file }) => {
        const env = environment === undefined ? {} : { [SETTINGS[name].variable]: String(environment) };
        const found = inForce(file === undefined ? {} : { [name]: file }, env, { [name]: flag } as SettingValues);
        const expected = Object.entries({ flag, environment, file, default: (DEFAULTS as SettingValues)[name] }).find(
          ([, value]) => value !== undefined,
        );
        expect(found.find((each) => each.name === name)).toEqual(
          expected && { name, source: expected[0], value: expected[1] },
        );
      }),
    );
  });

  it("uses the defaults if nothing is set, and ignores empty variables", () => {
    const nothing = Object.fromEntries(SETTING_NAMES.map((name) => [SETTINGS[name].variable, " "]));
    for (const env of [{}, nothing]) expect(readSettings({}, around(env))).toEqual(DEFAULTS);
  });

  it("reads the platform's settings file if no other one is named", () => {
    const home = path.join(folder, "home");
    // config-file.test.ts covers Windows: other platforms cannot read a file at such a path.
    const names = { linux: ".config", darwin: "Library/Application Support" } as const;
    for (const [platform, place] of Object.entries(names)) {
      const environment = { platform: platform as NodeJS.Platform, env: {}, home };
      expect(readSettings({}, environment).port).toBe(4870);
      const file = path.join(home, place, "throughline", "config.json");
      writeConfig(file, { port: 5_001 });
      expect(readSettings({}, environment).port).toBe(5_001);
      rmSync(file);
    }
    const file = path.join(folder, "xdg", "throughline", "config.json");
    writeConfig(file, { port: 5_002 });
    expect(readSettings({}, around({ XDG_CONFIG_HOME: path.join(folder, "xdg") })).port).toBe(5_002);
    expect(readSettings({}, around({ XDG_CONFIG_HOME: "xdg" })).port).toBe(4870);
  });

  it("resolves paths in the file from its folder, with ~ for the home folder, and leaves those of the environment alone", () => {
    const settings = (file: unknown, env = {}) =>
      Object.fromEntries(inForce(file, env).map(({ name, value }) => [name, value]));
    expect(settings({ data: "here", encryption_key_file: "~/the.key" })).toMatchObject({
      data: path.join(folder, "here"),
      encryption_key_file: path.join(folder, "home", "the.key"),
    });
    expect(settings({ data: "/there", project: "~/x" })).toMatchObject({ data: "/there", project: "~/x" });
    expect(settings({}, { THROUGHLINE_DATA: "here" })).toMatchObject({ data: "here" });
  });

  it.each([
    [{ prot: 5 }, /^Unknown setting "prot" in .*config-\d+\.json\.\n.*lists every setting\.$/],
    [{ constructor: 5 }, /Unknown setting "constructor"/],
    [{ port: "5000" }, /^Invalid port in .*config-\d+\.json: got "5000", expected a whole number from 0 to 65535\.\n/],
    [{ port: 70_000 }, /got 70000, expected a whole number from 0 to 65535\./],
    [{ port: null }, /got null, expected/],
    [{ rate_limit: 0 }, /got 0, expected a whole number from 1\./],
    [{ require_token: "yes" }, /got "yes", expected true or false\./],
    [{ allowed_hosts: "a, b" }, /expected a list of non-empty strings\./],
    [{ data: "" }, /got "", expected a non-empty string\./],
    [
      { encryption_key: "hunter2" },
      /setting encryption_key is not allowed in .*\nPut the key into a file.*encryption_key_file/,
    ],
    [{ model_key: ["hunter2"] }, /^Invalid model_key in .*: expected a non-empty string\.\n/],
    [{ database_url: { password: "hunter2" } }, /^Invalid database_url in .*: expected a non-empty string\./],
    [[], /is not a settings file: expected one JSON object\.\nWrite it like this/],
    [
      '{ "model_key": "hunter2" ',
      /is not valid JSON( \(line 1 column \d+\))?\.\nCorrect it, or delete it to use the defaults\.$/,
    ],
    ["hunter2", /is not valid JSON( \(line \d+ column \d+\))?\.\n/],
    ["", /is not valid JSON/],
  ])("rejects a file with %j, without repeating a secret of it", (file, problem) => {
    const said = problemOf(() => inForce(file));
    expect(said).toMatch(problem);
    expect(said).not.toContain("hunter2");
  });

  it.each([
    [{ THROUGHLINE_PORT: "http" }, 'Invalid THROUGHLINE_PORT: got "http", expected'],
    [{ THROUGHLINE_PORT: "-1" }, 'Invalid THROUGHLINE_PORT: got "-1", expected'],
    [{ THROUGHLINE_REQUIRE_TOKEN: "maybe" }, 'Invalid THROUGHLINE_REQUIRE_TOKEN: got "maybe", expected'],
    [{ THROUGHLINE_RATE_LIMIT: "1.5" }, 'Invalid THROUGHLINE_RATE_LIMIT: got "1.5", expected'],
  ])("rejects an environment with %j", (env, problem) => {
    expect(problemOf(() => inForce({}, env))).toContain(problem);
  });

  it("rejects a named file that is missing or unreadable, and accepts a byte order mark", () => {
    const missing = path.join(folder, "missing.json");
    expect(problemOf(() => resolveSettings({}, around({ THROUGHLINE_CONFIG: missing })))).toBe(
      `Could not read the settings in ${missing} (ENOENT).\nTHROUGHLINE_CONFIG names this file: correct the path, or unset the variable.`,
    );
    expect(problemOf(() => resolveSettings({}, around({ THROUGHLINE_CONFIG: folder })))).toContain("EISDIR");
    expect(inForce('\uFEFF{ "port": 5003 }').find(({ name }) => name === "port")?.value).toBe(5_003);
  });

  it("uses a valid setting even if a weaker source has an invalid one", () => {
    expect(inForce({ port: "many" }, { THROUGHLINE_PORT: "5000" }).find(({ name }) => name === "port")).toMatchObject({
      value: 5_000,
      source: "environment",
    });
  });

  it("has a unique variable for each setting", () => {
    const variables = SETTING_NAMES.map((name) => (SETTINGS[name] as Setting).variable);
    expect(variables).toEqual(SETTING_NAMES.map((name) => `THROUGHLINE_${name.toUpperCase()}`));
  });
});

it.each([
  ["linux", {}, "/home/ada", "/home/ada/.config/throughline/config.json"],
  ["linux", { XDG_CONFIG_HOME: "/etc/ada" }, "/home/ada", "/etc/ada/throughline/config.json"],
  ["linux", { XDG_CONFIG_HOME: "relative" }, "/home/ada", "/home/ada/.config/throughline/config.json"],
  ["darwin", {}, "/Users/ada", "/Users/ada/Library/Application Support/throughline/config.json"],
  ["win32", {}, "C:\\Users\\ada", "C:\\Users\\ada\\AppData\\Roaming\\throughline\\config.json"],
  ["win32", { APPDATA: "D:\\Roaming" }, "C:\\Users\\ada", "D:\\Roaming\\throughline\\config.json"],
  ["win32", { THROUGHLINE_CONFIG: "D:/own.json" }, "C:\\Users\\ada", "D:\\own.json"],
] as const)("the settings file on %s with %j", (platform, env, home, file) => {
  expect(configFile({ platform, env, home }).file).toBe(file);
});
