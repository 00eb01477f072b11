import { describe, expect, it } from "vitest";
import { cli, server } from "../package/entry-points.mjs";
import { publicValues } from "./doc-examples.mjs";

const values = [server, cli].flatMap((one) => publicValues(one)).filter((one) => one.isFunction || one.isClass);
const documented = values.map((value) => [value.name, value] as const);

describe("the documentation of the other packages", () => {
  it("is looked for in their entry points", () => {
    expect(documented.map(([name]) => name)).toEqual(
      expect.arrayContaining(["createServer", "openWorkspace", "ProblemError"]),
    );
  });

  it.each(documented)("describes each parameter of %s", (_, value) => {
    expect(value.documented).toHaveLength(value.parameters.length);
    const named = value.parameters.filter((name) => !name.startsWith("("));
    expect(value.documented).toEqual(expect.arrayContaining(named));
  });

  it.each(documented)("has an example of %s", (_, { examples }) => {
    expect(examples).toHaveLength(1);
  });
});
