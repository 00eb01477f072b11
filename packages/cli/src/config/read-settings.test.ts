import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { UsageError } from "../usage-error.ts";
import type { Surroundings } from "./environment.ts";
import { findSettings, readSettings, SETTING_NAMES } from "./read-settings.ts";
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

function around(env: Surroundings["env"]): Surroundings {
  return { platform: "linux", env, home: path.join(folder, "home") };
}

/** As somebody finds settings who has this file and this environment. */
function inForce(file: unknown, env: Surroundings["env"] = {}, flags: SettingValues = {}) {
  return findSettings(flags, around({ ...env, THROUGHLINE_CONFIG: configOf(file) }));
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

/** Values of each setting, as the file has them and as the environment does. */
const VALUES: Readonly<Record<SettingName, fc.Arbitrary<unknown>>> = {
  data: fc.stringMatching(/^\/[a-z]{1,9}$/),
  database_url: fc.stringMatching(/^postgres:\/\/[a-z]{1,9}$/),
  project: fc.stringMatching(/^[a-z]{1,9}$/),
  host: fc.ipV4(),
  port: fc.integer({ min: 0, max: 65_535 }),
  require_token: fc.boolean(),
  allowed_hosts: fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1 }),
  rate_limit: fc.integer({ min: 1, max: 9_999 }),
  model_url: fc.webUrl(),
  model_key: fc.stringMatching(/^[a-z]{1,9}$/),
  model: fc.stringMatching(/^[a-z]{1,9}$/),
  anthropic_url: fc.webUrl(),
  anthropic_key: fc.stringMatching(/^[a-z]{1,9}$/),
  gemini_url: fc.webUrl(),
  gemini_key: fc.stringMatching(/^[a-z]{1,9}$/),
  encryption_key: fc.stringMatching(/^[a-z]{1,9}$/),
  encryption_key_file: fc.stringMatching(/^\/[a-z]{1,9}$/),
};

describe("findSettings", () => {
  it("takes each setting from the strongest place that has it: a flag, the environment, the file, what holds anyway", () => {
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

  it("holds by itself where nothing is said, and passes over a variable that is set to nothing", () => {
    const nothing = Object.fromEntries(SETTING_NAMES.map((name) => [SETTINGS[name].variable, " "]));
    for (const env of [{}, nothing]) expect(readSettings({}, around(env))).toEqual(DEFAULTS);
  });

  it("is the file of the platform, where nobody names one", () => {
    const home = path.join(folder, "home");
    const names = { linux: ".config", darwin: "Library/Application Support", win32: "AppData/Roaming" } as const;
    for (const [platform, place] of Object.entries(names)) {
      const surroundings = { platform: platform as NodeJS.Platform, env: {}, home };
      expect(readSettings({}, surroundings).port).toBe(4870);
      const file = path.join(home, place, "throughline", "config.json");
      writeConfig(file, { port: 5_001 });
      expect(readSettings({}, surroundings).port).toBe(5_001);
      rmSync(file);
    }
    const file = path.join(folder, "xdg", "throughline", "config.json");
    writeConfig(file, { port: 5_002 });
    expect(readSettings({}, around({ XDG_CONFIG_HOME: path.join(folder, "xdg") })).port).toBe(5_002);
    expect(readSettings({}, around({ XDG_CONFIG_HOME: "xdg" })).port).toBe(4870);
  });

  it("sees paths in the file from its folder, and ~ as the user's own; those of the environment as they are", () => {
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
    [{ prot: 5 }, /^.*config-\d+\.json has "prot", which is no setting\.\n.*lists all of them\.$/],
    [{ constructor: 5 }, /has "constructor", which is no setting/],
    [
      { port: "5000" },
      /^port in .*config-\d+\.json: "5000" cannot be meant\.\nIt takes a whole number from 0 to 65535\.$/,
    ],
    [{ port: 70_000 }, /70000 cannot be meant\.\nIt takes a whole number from 0 to 65535\./],
    [{ port: null }, /null cannot be meant/],
    [{ rate_limit: 0 }, /0 cannot be meant\.\nIt takes a whole number from 1 on\./],
    [{ require_token: "yes" }, /"yes" cannot be meant\.\nIt takes true or false\./],
    [{ allowed_hosts: "a, b" }, /cannot be meant\.\nIt takes a list of texts\./],
    [{ data: "" }, /"" cannot be meant\.\nIt takes a text\./],
    [{ encryption_key: "hunter2" }, /has encryption_key\.\nName a file of yours alone.*encryption_key_file\.$/],
    [{ model_key: ["hunter2"] }, /^model_key in .*: what it says cannot be meant\.\nIt takes a text\.$/],
    [{ database_url: { password: "hunter2" } }, /^database_url in .*: what it says cannot be meant\./],
    [[], /holds no settings\.\nIt takes one JSON object/],
    ['{ "model_key": "hunter2" ', /is no JSON( \(line 1 column \d+\))?\.\nCorrect it, or take it away\.$/],
    ["hunter2", /is no JSON( \(line \d+ column \d+\))?\.\n/],
    ["", /is no JSON/],
  ])("refuses a file that says %j, and repeats no secret of it", (file, problem) => {
    const said = problemOf(() => inForce(file));
    expect(said).toMatch(problem);
    expect(said).not.toContain("hunter2");
  });

  it.each([
    [{ THROUGHLINE_PORT: "http" }, 'THROUGHLINE_PORT: "http" cannot be meant.'],
    [{ THROUGHLINE_PORT: "-1" }, 'THROUGHLINE_PORT: "-1" cannot be meant.'],
    [{ THROUGHLINE_REQUIRE_TOKEN: "maybe" }, 'THROUGHLINE_REQUIRE_TOKEN: "maybe" cannot be meant.'],
    [{ THROUGHLINE_RATE_LIMIT: "1.5" }, 'THROUGHLINE_RATE_LIMIT: "1.5" cannot be meant.'],
  ])("refuses an environment that says %j", (env, problem) => {
    expect(problemOf(() => inForce({}, env))).toContain(problem);
  });

  it("refuses a named file that is not there or cannot be read, and takes one with a mark before its first letter", () => {
    const missing = path.join(folder, "missing.json");
    expect(problemOf(() => findSettings({}, around({ THROUGHLINE_CONFIG: missing })))).toBe(
      `${missing} cannot be read (ENOENT).\nTHROUGHLINE_CONFIG names it.`,
    );
    expect(problemOf(() => findSettings({}, around({ THROUGHLINE_CONFIG: folder })))).toContain("EISDIR");
    expect(inForce('\uFEFF{ "port": 5003 }').find(({ name }) => name === "port")?.value).toBe(5_003);
  });

  it("says what holds of a setting that a weaker place has wrong", () => {
    expect(inForce({ port: "many" }, { THROUGHLINE_PORT: "5000" }).find(({ name }) => name === "port")).toMatchObject({
      value: 5_000,
      source: "environment",
    });
  });

  it("has a variable of its own for each", () => {
    const variables = SETTING_NAMES.map((name) => (SETTINGS[name] as Setting).variable);
    expect(variables).toEqual(SETTING_NAMES.map((name) => `THROUGHLINE_${name.toUpperCase()}`));
  });
});
