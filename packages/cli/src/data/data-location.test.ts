import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { dataLocation } from "./data-location.ts";

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
