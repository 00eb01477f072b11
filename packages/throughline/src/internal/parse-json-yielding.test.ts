import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJsonYielding } from "./parse-json-yielding.ts";

/** Long enough to be parsed in several pieces at any position. */
const LONG = "x".repeat(300_000);

/** Result of `JSON.parse`, or "refused". */
function expected(text: string): unknown {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return "refused";
  }
}

async function parsed(text: string): Promise<unknown> {
  try {
    return { value: await parseJsonYielding(text) };
  } catch (error) {
    return error instanceof SyntaxError ? "refused" : error;
  }
}

describe("parseJsonYielding", () => {
  it("returns the value of JSON.parse for any text", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 5 }), fc.nat(5), async (values, place) => {
        const text = JSON.stringify(values.toSpliced(place, 0, LONG, { [LONG]: values, __proto__: null }, values));
        expect(await parsed(text)).toEqual(expected(text));
        expect(await parsed(`{"a":${text},"b":[${text}, 1 ],"a":2}`)).toEqual(
          expected(`{"a":${text},"b":[${text}, 1 ],"a":2}`),
        );
      }),
      { numRuns: 20 },
    );
  });

  it("refuses what JSON.parse refuses", async () => {
    const long = JSON.stringify(LONG);
    const texts = [
      `[${long},]`,
      `[,${long},1]`,
      `[${long},,1]`,
      `[[${long},1] 2]`,
      `[2 [${long},1]]`,
      `[[${long},1] 2, 3]`,
      `{"a":[${long},1],}`,
      `{"a" [${long},1]}`,
      `{[${long},1]}`,
      `{"a":1,"b":${long},3}`,
      `[${long}}`,
      `[${long},[1}]`,
      `[${long},1`,
      `[${long},1] 2`,
      `[${long},1]]`,
      `[${long.slice(0, -1)}`,
      `${long} 1`,
      `{"a":{"b":{"c":[${long},1,]}}}`,
      `[${long},1 2]`,
      `\ufeff[${long}]`,
      `[${long}]\u00a0`,
      `[\u3000[${long}]]`,
      `[[${long},1],]`,
      `[[${long}]1,[2]]`,
    ];
    for (const text of texts)
      expect([text.replaceAll("x", ""), await parsed(text)]).toEqual([text.replaceAll("x", ""), "refused"]);
    for (const text of texts) expect(expected(text)).toBe("refused");
  });

  it("refuses a long text that is nested too deeply, and accepts one that is not", async () => {
    const nested = (depth: number) => `${"[".repeat(depth)}${JSON.stringify(LONG)}${"]".repeat(depth)}`;
    expect(await parsed(nested(1_000))).toEqual(expected(nested(1_000)));
    expect(await parsed(nested(1_001))).toBe("refused");
  });

  it("keeps __proto__ as a field", async () => {
    const text = `{"a":${JSON.stringify(LONG)},"__proto__":{"b":[${JSON.stringify(LONG)},1]},"c":1}`;
    const value = (await parseJsonYielding(text)) as object;
    expect(Object.keys(value)).toEqual(["a", "__proto__", "c"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});
