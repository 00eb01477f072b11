import { relative } from "node:path";
import { describe, expect, it } from "vitest";
import { publicMethods, publicTypes, publicValues } from "../../../tools/docs/doc-examples.mjs";
import { libraryFolder } from "../../../tools/run/paths.mjs";

/** Folders and files whose public types and methods are fully documented. */
const DOCUMENTED_METHODS = [
  "chat/fact-book",
  "chat/extraction",
  "compact",
  "errors",
  "ports",
  "react",
  "session",
  "telemetry",
  "throughline-api",
];
/** Interfaces of objects that the library creates for its callers. */
const SERVICES = new Set([
  ...["ConversationList", "DexieStore", "FactBook", "FactListHandle", "RunningTurn", "SqlStore", "Throughline"],
]);

function isIn(areas: readonly string[]): (documented: { readonly file: string }) => boolean {
  const place = new RegExp(`^src/(?:${areas.join("|")})(?:/|\\.ts$)`);
  return ({ file }) => place.test(relative(libraryFolder, file).replaceAll("\\", "/"));
}

const values = publicValues();
const isDocumented = isIn(DOCUMENTED_METHODS);
const methods = publicMethods().filter((one) => one.isClass || SERVICES.has(one.owner) || isDocumented(one));
const functions = [...values.filter(({ isFunction }) => isFunction), ...methods];
/** Functions that users call. Users implement other interfaces, or receive them. */
const called = functions.filter((value) => !("owner" in value) || value.isClass || SERVICES.has(String(value.owner)));
const types = publicTypes().filter(isDocumented);
const classes = values.filter(({ isClass }) => isClass);

describe("the documentation of public functions", () => {
  it("is looked for in the entry points", () => {
    expect(functions.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["validateWindow", "runTurn", "sqliteStore", "Session.append", "Throughline.close"]),
    );
  });

  it.each(functions.map((value) => [value.name, value] as const))("describes %s and each parameter", (_, value) => {
    expect(value.text).not.toBe("");
    expect(value.documented).toHaveLength(value.parameters.length);
    const named = value.parameters.filter((name) => !name.startsWith("("));
    expect(value.documented).toEqual(expect.arrayContaining(named));
  });

  it.each(called.map((value) => [value.name, value] as const))("has an example of %s", (_, { examples }) => {
    expect(examples).toHaveLength(1);
  });

  it.each(types.map((value) => [value.name, value] as const))("describes the interface %s", (_, { text }) => {
    expect(text).not.toBe("");
  });

  it.each(classes.map((value) => [value.name, value] as const))("has an example of class %s", (_, value) => {
    expect(value.text).not.toBe("");
    expect(value.examples).toHaveLength(1);
  });
});
