import { describe, expect, it } from "vitest";
import { factOf } from "../memory/facts/memory.arbitrary.ts";
import { Catalogue } from "./catalogue.ts";
import { readEntry } from "./catalogue-entry.ts";

function catalogueOf(...texts: string[]): Catalogue {
  const catalogue = new Catalogue();
  texts.forEach((text, at) => {
    catalogue.put(readEntry(factOf(text, { id: `m${at}`, validFrom: at, category: "project" }), "space"));
  });
  return catalogue;
}

const ids = (entries: Iterable<{ readonly id: string }>) => [...entries].map(({ id }) => id).sort();

describe("a catalogue", () => {
  it("knows which memories name a file, however they write it", () => {
    const catalogue = catalogueOf(
      "The token is read in src/auth/login.ts.",
      "The token is read in /home/ada/shop/src/auth/login.ts:31.",
      "The token is read in login.ts.",
      "The token is read in src/admin/login.ts.",
      "The token is read in auth/login.ts.",
    );
    expect(ids(catalogue.naming("src/auth/login.ts"))).toEqual(["m0", "m1", "m2", "m4"]);
    expect(ids(catalogue.naming("login.ts"))).toEqual(["m0", "m1", "m2", "m3", "m4"]);
    expect(ids(catalogue.within("src/auth"))).toEqual(["m0"]);
    catalogue.remove("m0");
    expect(ids(catalogue.naming("src/auth/login.ts"))).toEqual(["m1", "m2", "m4"]);
  });

  it("names topics by the key of a fact, the part of the project, or the first word that says something", () => {
    const topic = (text: string, rest = {}) => readEntry(factOf(text, { category: "project", ...rest }), "space").topic;
    expect(topic("Project uses PostgreSQL", { key: "db", value: "PostgreSQL" })).toBe("db");
    expect(topic("Rounding happens in src/money/round.ts")).toBe("money");
    expect(topic("Never deploy on Fridays")).toBe("deploy");
    expect(topic("User lives in Rome", { category: "identity" })).toBe("");
  });

  it("does not grow out of names: __proto__ and the like are words", () => {
    const catalogue = catalogueOf("__proto__ fails with a constructor error in src/__proto__/constructor.ts");
    expect(ids(catalogue.naming("src/__proto__/constructor.ts"))).toEqual(["m0"]);
    expect(ids(catalogue.within("src/__proto__"))).toEqual(["m0"]);
    expect(catalogue.topic("__proto__").count).toBe(1);
  });
});
