import { relative } from "node:path";
import { describe, expect, it } from "vitest";
import { publicValues } from "../../../tools/doc-examples.mjs";
import { libraryFolder } from "../../../tools/paths.mjs";

/** Folders whose public functions are fully documented. */
const DOCUMENTED = [
  ...["ai-sdk", "chat", "embed", "message", "model", "prune", "receipt", "store", "telemetry", "tokens", "transcript"],
  "trim",
];
/** Thin presets over the compaction engine. */
const EXEMPT = /^src\/chat\/compact\//;

const functions = publicValues()
  .map((value) => ({ ...value, place: relative(libraryFolder, value.file).replaceAll("\\", "/") }))
  .filter(({ isFunction, place }) => isFunction && !EXEMPT.test(place))
  .filter(({ place }) => DOCUMENTED.some((folder) => place.startsWith(`src/${folder}/`)));

describe("the documentation of public functions", () => {
  it("is looked for in the entry points", () => {
    expect(functions.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["validateWindow", "runTurn", "sqliteStore"]),
    );
  });

  it.each(functions.map((value) => [value.name, value] as const))("describes each parameter of %s", (_, value) => {
    expect(value.documented).toHaveLength(value.parameters.length);
    const named = value.parameters.filter((name) => !name.startsWith("("));
    expect(value.documented).toEqual(expect.arrayContaining(named));
  });

  it.each(functions.map((value) => [value.name, value] as const))("has an example of %s", (_, { examples }) => {
    expect(examples).toHaveLength(1);
  });
});
