import { beforeAll, describe, expect, it } from "vitest";
import { longTest } from "../long-tests.ts";
import { ADVERSARIAL_INPUTS } from "./adversarial-inputs.ts";
import { growthOverInputs } from "./growth-over-inputs.ts";
import { ADAPTERS, type Adapter } from "./text-adapters.ts";
import { type Entries, exportedFunctions } from "./text-functions.ts";

/** Characters of the texts. */
const steepInputs = growthOverInputs({ first: 1_500, max: 192_000, enough: 10 });
const ORDINARY = "The user works on a small web shop in Lisbon and prefers short answers. ";

const adapted = Object.entries(ADAPTERS).flatMap(([entry, functions]) =>
  Object.entries(functions).flatMap(([name, adapter]) =>
    typeof adapter === "string" ? [] : [{ title: `${entry} ${name}`, entry, name, adapter }],
  ),
);

let entries: Entries;
beforeAll(async () => {
  entries = await exportedFunctions();
});

/** Runs a function on a text; refusing the text is an answer too. */
async function run(entry: string, name: string, adapter: Adapter, text: string): Promise<void> {
  const call = entries[entry]?.[name];
  if (call === undefined) throw new Error(`${entry} has no function ${name}`);
  try {
    await adapter(call, text, entries);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

describe("the list of text functions", () => {
  it("names every exported function, and none that is gone", () => {
    const isError = (name: string) => /^[A-Z].*Error$/.test(name);
    const exported = Object.entries(entries).flatMap(([entry, functions]) =>
      Object.keys(functions).flatMap((name) => (isError(name) ? [] : [`${entry} ${name}`])),
    );
    const listed = Object.entries(ADAPTERS).flatMap(([entry, functions]) =>
      Object.keys(functions).map((name) => `${entry} ${name}`),
    );
    expect(listed.sort()).toEqual(exported.sort());
  });

  it("has at least 150 inputs", () => {
    expect(ADVERSARIAL_INPUTS.length).toBeGreaterThanOrEqual(150);
  });
});

describe("the cost of a text grows with its length, not faster", () => {
  longTest.each(adapted)("$title", async ({ entry, name, adapter }) => {
    // An ordinary text is accepted, so the measurement below is not of a refusal.
    await adapter(entries[entry]?.[name] ?? (() => undefined), ORDINARY, entries);
    const found = await steepInputs(`${entry} ${name}`, (text) => run(entry, name, adapter, text));
    expect(found).toEqual([]);
  });
});
