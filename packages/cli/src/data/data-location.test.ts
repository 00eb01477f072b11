import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { dataFile, dataLocation } from "./data-location.ts";

const folder = mkdtempSync(path.join(tmpdir(), "throughline-place-"));
afterAll(() => rmSync(folder, { recursive: true }));

const URL = "postgres://ada:hunter2@db.example:5432/app?sslmode=require&password=hunter3";

/** The data location for these settings. */
function locate(asked: string | undefined, env: Readonly<Record<string, string>>, file: object = {}) {
  const config = path.join(folder, "config.json");
  writeFileSync(config, JSON.stringify(file));
  return dataLocation(asked, { platform: "linux", env: { ...env, THROUGHLINE_CONFIG: config }, home: "/home/ada" });
}

const inFile = (name: string) => ({ file: path.join(name, "throughline.db") });
const inDatabase = { file: "PostgreSQL at db.example:5432/app", databaseUrl: URL };

describe("dataLocation", () => {
  it("is the database if one is set, named without secrets", () => {
    expect(locate(undefined, { THROUGHLINE_DATABASE_URL: URL })).toEqual(inDatabase);
    expect(locate(undefined, {}, { database_url: URL })).toEqual(inDatabase);
    expect(locate(undefined, {})).toEqual(inFile("/home/ada/.local/share/throughline"));
  });

  it("follows the stronger source, and prefers the database at the same level", () => {
    const [env, file] = [{ THROUGHLINE_DATABASE_URL: URL }, { database_url: URL }];
    expect(locate("/asked", env, file)).toEqual(inFile("/asked"));
    expect(locate(undefined, { THROUGHLINE_DATA: "/variable" }, file)).toEqual(inFile("/variable"));
    expect(locate(undefined, env, { data: "/named" })).toEqual(inDatabase);
    expect(locate(undefined, { ...env, THROUGHLINE_DATA: "/variable" })).toEqual(inDatabase);
    expect(locate(undefined, {}, { ...file, data: "/named" })).toEqual(inDatabase);
  });

  it.each([
    "postgres://ada:hun/hunter2@db/app",
    "postgres://ada:12/hunter2@db/app",
    "postgres:///app?password=hunter2",
    "/var/run/postgresql hunter2",
    "hunter2",
  ])("does not name a database by a possible part of a password: %s", (url) => {
    expect(locate(undefined, { THROUGHLINE_DATABASE_URL: url }).file).toBe("a PostgreSQL database");
  });
});

const linux = { platform: "linux", env: {}, home: "/home/ada" } as const;

describe("dataFile", () => {
  it("is in the platform's data folder", () => {
    expect(dataFile(undefined, linux)).toBe("/home/ada/.local/share/throughline/throughline.db");
    expect(dataFile(undefined, { ...linux, env: { XDG_DATA_HOME: "/data" } })).toBe("/data/throughline/throughline.db");
    expect(dataFile(undefined, { platform: "darwin", env: {}, home: "/Users/ada" })).toBe(
      "/Users/ada/Library/Application Support/throughline/throughline.db",
    );
    const windows = { platform: "win32", env: {}, home: "C:\\Users\\ada" } as const;
    expect(dataFile(undefined, windows)).toBe("C:\\Users\\ada\\AppData\\Local\\throughline\\throughline.db");
    expect(dataFile(undefined, { ...windows, env: { LOCALAPPDATA: "D:\\Local" } })).toBe(
      "D:\\Local\\throughline\\throughline.db",
    );
    expect(dataFile("\\\\server\\share\\data", windows)).toBe("\\\\server\\share\\data\\throughline.db");
  });

  it("ignores an empty variable, and a relative XDG_DATA_HOME, as specified", () => {
    const env = { XDG_DATA_HOME: "share", THROUGHLINE_DATA: "" };
    expect(dataFile(undefined, { ...linux, env })).toBe("/home/ada/.local/share/throughline/throughline.db");
  });

  it("is in the folder of --data, or else of THROUGHLINE_DATA", () => {
    const env = { THROUGHLINE_DATA: "/variable", XDG_DATA_HOME: "/data" };
    expect(dataFile(undefined, { ...linux, env })).toBe("/variable/throughline.db");
    expect(dataFile("/option", { ...linux, env })).toBe("/option/throughline.db");
    expect(dataFile("here", linux)).toBe(path.resolve("here/throughline.db"));
  });

  it("rejects an empty --data, so that data never goes to an unintended folder", () => {
    expect(() => dataFile("", linux)).toThrow("--data is empty.");
  });
});
