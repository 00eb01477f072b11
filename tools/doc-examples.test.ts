import { describe, expect, it } from "vitest";
import { publicMethods, publicValues } from "./doc-examples.mjs";
import { cli, server } from "./entry-points.mjs";

/** Objects whose methods are documented like functions. */
const SERVICES = ["ContextService", "MemoryService"];

const functions = [server, cli].flatMap((one) => publicValues(one)).filter(({ isFunction }) => isFunction);
const methods = publicMethods().filter(({ owner }) => SERVICES.includes(owner));
const documented = [...functions, ...methods].map((value) => [value.name, value] as const);

describe("the documentation of the other packages and of tl.memory and tl.context", () => {
  it("is looked for in their entry points", () => {
    expect(documented.map(([name]) => name)).toEqual(
      expect.arrayContaining(["createServer", "openWorkspace", "MemoryService.remember", "ContextService.assemble"]),
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
