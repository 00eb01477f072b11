import { describe, expect, it } from "vitest";
import { countTokens } from "../tokens/count-tokens.ts";
import { rankNames } from "./names.ts";
import { renderLedger } from "./render-ledger.ts";
import { ledgerOf, tool, user } from "./session.arbitrary.ts";
import { specificTo } from "./specific-names.ts";

const render = (...messages: Parameters<typeof ledgerOf>) =>
  renderLedger(ledgerOf(...messages), { budget: 2_000, count: countTokens });
const lineOf = (note: string, start: string) => note.split("\n").find((line) => line.startsWith(start)) ?? "";
const sectionOf = (note: string, title: string) => note.split(`### ${title}\n`)[1]?.split("\n\n")[0] ?? "";

describe("names beside a file", () => {
  const names = Array.from({ length: 20 }, (_, i) => `typedName${String.fromCharCode(65 + i)}`);

  it("are at most six, with commas; the others follow in the section of names", () => {
    const note = render(
      user("go"),
      ...tool("Edit", { file_path: "/app/src/shop.ts", old_string: "x", new_string: names.join("\n") }),
    );
    const [, beside = ""] = /\((.*)\)/.exec(lineOf(note, "- Edited")) ?? [];
    const others = sectionOf(note, "Names").split(" ");
    expect(beside.split(", ")).toHaveLength(6);
    expect([...beside.split(", "), ...others].sort()).toEqual(names);
  });

  it("are those that the agent typed: of a file that was only read, names are in their own section", () => {
    const note = render(
      user("go"),
      ...tool("Read", { file_path: "/app/src/shop.ts" }, "openShop closeShop"),
      ...tool("Edit", { file_path: "/app/src/cart.ts", old_string: "x", new_string: "fillCart" }, "emptyCart"),
    );
    expect(lineOf(note, "- Edited")).toBe("- Edited: cart.ts (fillCart)");
    expect(lineOf(note, "- Read")).toBe("- Read: shop.ts");
    expect(sectionOf(note, "Names (paths are relative to app/src)").split(" ").sort()).toEqual([
      "closeShop",
      "emptyCart",
      "openShop",
    ]);
  });
});

describe("the rank of a name", () => {
  const ranksOf = (...messages: Parameters<typeof ledgerOf>) =>
    rankNames(ledgerOf(...messages)).map(({ text }) => text);

  it("is higher if a file in use shows the name than if another output does", () => {
    const ranks = ranksOf(
      ...tool("Read", { file_path: "/app/src/shop.ts" }, "openShop"),
      ...tool("Grep", { pattern: "x" }, "seenOnce"),
    );
    expect(ranks.indexOf("openShop")).toBeLessThan(ranks.indexOf("seenOnce"));
  });

  it("stays below that of names that the agent typed", () => {
    const ranks = ranksOf(
      ...tool("Grep", { pattern: "typedOnce" }),
      ...tool("Read", { file_path: "/app/src/shop.ts" }, "openShop ".repeat(9)),
    );
    expect(ranks.indexOf("typedOnce")).toBeLessThan(ranks.indexOf("openShop"));
  });
});

describe("a name is specific to a session", () => {
  const isSpecific = (name: string, ...shown: readonly string[]) =>
    specificTo(ledgerOf(...tool("Grep", { pattern: "x" }, [name, ...shown].join("\n"))))(name);

  it.each([
    ["a member of a package of the project", "logging.Warn", "example.com/shop/logging"],
    ["a branch with a slash", "notes/drafts", "origin/notes/drafts"],
    ["a field that occurs without its variable", "it.OrderCode", "OrderCode"],
  ])("if it is %s", (_, name, evidence) => {
    expect(isSpecific(name)).toBe(false);
    expect(isSpecific(name, evidence)).toBe(true);
  });

  it.each(["origin/main", "t.Run", "fmt.Errorf", "encoding/hex", "item-12"])("unless it is like %s", (name) => {
    expect(isSpecific(name)).toBe(false);
  });
});

it("an argument in snake case is a name, such as a table or a column", () => {
  const note = render(user("go"), ...tool("describe", { table: "order_items" }));
  expect(sectionOf(note, "Names")).toBe("order_items");
});
