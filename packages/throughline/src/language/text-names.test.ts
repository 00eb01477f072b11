import { describe, expect, it } from "vitest";
import { findName, readNames } from "./text-names.ts";

describe("findName", () => {
  it("knows a tool in any spelling", () => {
    for (const word of ["PostgreSQL", "postgres", "pg", "(Postgre)"]) expect(findName(word)?.name).toBe("PostgreSQL");
    expect(findName("k8s")).toMatchObject({ name: "Kubernetes", casual: "kubernetes" });
  });

  it("does not take ordinary words for tools", () => {
    for (const word of ["go", "next", "nest", "table"]) expect(findName(word)).toBeUndefined();
  });
});

describe("readNames", () => {
  it.each([
    ["The team met Ada's friend in Rome", ["ada", "rome"]],
    ["User lives in São Paulo and I'm not", ["são", "paulo"]],
    ["Don't ask. Will you? May I ask Will in May", ["will", "may"]],
    ["Ольга и Élodie", ["ольга", "élodie"]],
    ["plan B before plan C", ["b", "c"]],
    ["nothing here", []],
  ])("reads %j", (text, names) => {
    expect(readNames(text)).toEqual(names);
  });

  it("reads tools in small letters if asked to", () => {
    expect(readNames("we moved from postgres to SQLite", { tools: true })).toEqual(["postgresql", "sqlite"]);
    expect(readNames("we moved from postgres")).toEqual([]);
  });
});
