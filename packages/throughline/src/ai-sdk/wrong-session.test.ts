import { describe, expect, it } from "vitest";
import { InvalidOptionError } from "../errors/input-errors.ts";
import { createThroughline } from "../throughline.ts";
import { middleware } from "./middleware.ts";
import { prepareStep } from "./prepare-step.ts";
import { tools } from "./tools.ts";

describe.each([
  ["middleware", (session: never) => middleware(session)],
  ["prepareStep", (session: never) => prepareStep(session)],
  ["tools", (session: never) => tools(session)],
])("%s", (name, use) => {
  it("refuses an object that is no session", async () => {
    const throughline = await createThroughline();
    for (const wrong of [{}, undefined, "s1", throughline]) {
      expect(() => use(wrong as never)).toThrow(InvalidOptionError);
      expect(() => use(wrong as never)).toThrow(`Invalid session of ${name}: `);
    }
    expect(() => use(throughline.session("s") as never)).not.toThrow();
  });
});
