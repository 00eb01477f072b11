import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { dataPlace } from "./data-location.ts";

const folder = mkdtempSync(path.join(tmpdir(), "throughline-place-"));
afterAll(() => rmSync(folder, { recursive: true }));

const URL = "postgres://ada:hunter2@db.example:5432/app?sslmode=require&password=hunter3";

/** Where the data is for somebody with these settings. */
function placeOf(asked: string | undefined, env: Readonly<Record<string, string>>, file: object = {}) {
  const config = path.join(folder, "config.json");
  writeFileSync(config, JSON.stringify(file));
  return dataPlace(asked, { platform: "linux", env: { ...env, THROUGHLINE_CONFIG: config }, home: "/home/ada" });
}

const inFile = (name: string) => ({ file: path.join(name, "throughline.db") });
const inDatabase = { file: "PostgreSQL at db.example:5432/app", databaseUrl: URL };

describe("dataPlace", () => {
  it("is the database where one is set, and its name holds no secret", () => {
    expect(placeOf(undefined, { THROUGHLINE_DATABASE_URL: URL })).toEqual(inDatabase);
    expect(placeOf(undefined, {}, { database_url: URL })).toEqual(inDatabase);
    expect(placeOf(undefined, {})).toEqual(inFile("/home/ada/.local/share/throughline"));
  });

  it("is what the stronger of folder and database says, and the database where both are set in one place", () => {
    const [env, file] = [{ THROUGHLINE_DATABASE_URL: URL }, { database_url: URL }];
    expect(placeOf("/asked", env, file)).toEqual(inFile("/asked"));
    expect(placeOf(undefined, { THROUGHLINE_DATA: "/variable" }, file)).toEqual(inFile("/variable"));
    expect(placeOf(undefined, env, { data: "/named" })).toEqual(inDatabase);
    expect(placeOf(undefined, { ...env, THROUGHLINE_DATA: "/variable" })).toEqual(inDatabase);
    expect(placeOf(undefined, {}, { ...file, data: "/named" })).toEqual(inDatabase);
  });

  it.each([
    "postgres://ada:hun/hunter2@db/app",
    "postgres://ada:12/hunter2@db/app",
    "postgres:///app?password=hunter2",
    "/var/run/postgresql hunter2",
    "hunter2",
  ])("does not call a database by what may be part of a password: %s", (url) => {
    expect(placeOf(undefined, { THROUGHLINE_DATABASE_URL: url }).file).toBe("a PostgreSQL database");
  });
});
