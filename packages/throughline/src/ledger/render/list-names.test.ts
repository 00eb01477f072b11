import { describe, expect, it } from "vitest";
import { countTokens } from "../../tokens/count-tokens.ts";
import { rankNames, specificTo } from "../ledger-names.ts";
import { ledgerOf, tool, user } from "../session.arbitrary.ts";
import { renderLedger } from "./render-ledger.ts";

const render = (...messages: Parameters<typeof ledgerOf>) =>
  renderLedger(ledgerOf(...messages), { budget: 2_000, count: countTokens });
const lineOf = (note: string, start: string) => note.split("\n").find((line) => line.startsWith(start)) ?? "";
const sectionOf = (note: string, title: string) => note.split(`### ${title}\n`)[1]?.split("\n\n")[0] ?? "";

describe("names beside a file", () => {
  const names = Array.from({ length: 20 }, (_, i) => `typedName${String.fromCharCode(65 + i)}`);

  it("are at most twelve, with commas; the others follow in the section of names", () => {
    const note = render(
      user("go"),
      ...tool("Edit", { file_path: "/app/src/shop.ts", old_string: "x", new_string: names.join("\n") }),
    );
    const [, beside = ""] = /\((.*)\)/.exec(lineOf(note, "- Edited")) ?? [];
    const others = sectionOf(note, "Names").split(" ");
    expect(beside.split(", ")).toHaveLength(12);
    expect([...beside.split(", "), ...others].sort()).toEqual(names);
  });

  it("start, for a person, with those in the lines that the last edits added", () => {
    const file_path = "/app/src/shop.ts";
    const ledger = ledgerOf(
      user("go"),
      ...tool("Edit", { file_path, old_string: "x", new_string: "addedFirst(order)" }),
      ...tool("Grep", { pattern: "typedLater|typedLast", path: file_path }),
      ...tool("Read", { file_path }, names.join(" ")),
      ...Array.from({ length: 9 }, () => tool("Read", { file_path }, "shownOften shownMore")).flat(),
    );
    const note = renderLedger(ledger, { budget: 2_000, count: countTokens, reader: "person" });
    expect(lineOf(note, "- Edited")).toMatch(/^- Edited: \S+ \(addedFirst, /);
  });

  describe("if the note has no other content left", () => {
    const read = tool("Read", { file_path: "/app/src/shop.ts" }, [...names, ...names.map((n) => `${n}Row`)].join(" "));
    const messages = [user("go"), ...read];
    const noteFor = (reader: "model" | "person") =>
      renderLedger(ledgerOf(...messages), { budget: 260, count: countTokens, reader });

    it("are followed, in a note for a model, by a line with up to 24 more", () => {
      const note = noteFor("model");
      const [, beside = ""] = /\((.*)\)/.exec(lineOf(note, "- Read")) ?? [];
      const more = lineOf(note, "- More in shop.ts: ").split(" ").slice(4);
      expect(beside.split(", ")).toHaveLength(12);
      expect(more.length).toBeGreaterThan(0);
      expect(more.length).toBeLessThanOrEqual(24);
    });

    it("are at most four beside a changed file in a note for a person, none beside others, and twelve by themselves", () => {
      const file_path = "/app/src/cart.ts";
      const edit = tool("Edit", { file_path, old_string: "x", new_string: names.map((n) => `${n}Cart`).join(" ") });
      const ledger = ledgerOf(...messages, ...edit);
      const note = renderLedger(ledger, { budget: 600, count: countTokens, reader: "person" });
      const [, beside = ""] = /\((.*)\)/.exec(lineOf(note, "- Edited")) ?? [];
      expect(beside.split(", ")).toHaveLength(4);
      expect(lineOf(note, "- Read")).toBe("- Read: shop.ts");
      expect(sectionOf(note, "Names").split(" ")).toHaveLength(12);
      expect(note).not.toContain("- More in");
    });
  });

  it("are those that were last used with it, also if the file was only read", () => {
    const note = render(
      user("go"),
      ...tool("Read", { file_path: "/app/src/shop.ts" }, "openShop closeShop"),
      ...tool("Edit", { file_path: "/app/src/cart.ts", old_string: "x", new_string: "fillCart" }, "emptyCart"),
      ...tool("Grep", { pattern: "cartTotal" }),
    );
    expect(lineOf(note, "- Edited")).toBe("- Edited: cart.ts (fillCart, emptyCart)");
    expect(lineOf(note, "- Read")).toMatch(/^- Read: shop\.ts \((?:openShop, closeShop|closeShop, openShop)\)$/);
    expect(sectionOf(note, "Names (paths are relative to app/src)")).toBe("cartTotal");
  });
});

describe("the section of names", () => {
  it("takes at most 15% of the budget, even in a short note", () => {
    const names = Array.from({ length: 900 }, (_, i) => `seenName${i.toString(36)}Part${i.toString(26)}x`);
    const note = render(user("look around"), ...tool("Grep", { pattern: "Name" }, names.join("\n")));
    const section = sectionOf(note, "Names");
    expect(countTokens(section)).toBeGreaterThan(200);
    expect(countTokens(section)).toBeLessThanOrEqual(300);
  });
});

describe("the status of a to-do", () => {
  it("is not a name", () => {
    const todos = [{ content: "Rename countTotals", status: "in_progress", activeForm: "Renaming countTotals" }];
    const names = rankNames(ledgerOf(user("go"), ...tool("TodoWrite", { todos }))).map(({ text }) => text);
    expect(names).toEqual(["countTotals"]);
  });
});

describe("the latest changes", () => {
  const edit = (file: string, before: string, after: string) =>
    tool("Edit", { file_path: `/app/src/${file}`, old_string: before, new_string: after });

  it("show added lines, newest first, whose names the rest of the note does not have", () => {
    const names = Array.from({ length: 900 }, (_, i) => `seenName${i.toString(36)}Part${i.toString(26)}x`);
    const note = render(
      user("go"),
      ...edit("cart.ts", "", Array.from({ length: 12 }, (_, i) => `earlierName${i}();`.repeat(9)).join("\n")),
      ...tool("Bash", { command: `grep -E "${names.slice(0, 90).join("|")}"` }, names.join("\n")),
      ...edit("cart.ts", "return sum;", "return sum;\nreturn roundHalfUp(sum, taxRate);"),
      ...edit("cart.ts", "import a", `import a\nconst label = \`total: \${formatTotal(sum)}\`;`),
    );
    const lines = sectionOf(note, "Latest changes").split("\n");
    expect(lines[0]).toMatch(/^- \/app\/src\/cart\.ts: ``? .*formatTotal/);
    expect(lines[1]).toMatch(/^- \/app\/src\/cart\.ts: `.*roundHalfUp/);
    expect(note).not.toContain("import a");
  });

  it("leave out edits that failed or were refused", () => {
    const note = render(
      user("go"),
      ...tool(
        "Edit",
        { file_path: "/app/src/cart.ts", old_string: "x", new_string: "neverWritten(orderId);" },
        "!String to replace not found in file.",
      ),
    );
    expect(sectionOf(note, "Latest changes")).toBe("");
  });

  it("are read from patches, and bounded for large edits", () => {
    const patch = [
      "*** Begin Patch",
      "*** Update File: src/cart.ts",
      "@@",
      "-const oldRate = 1;",
      ...Array.from({ length: 5_000 }, (_, i) => `+const lineTotal${i} = rateOf${i}(order);`),
      "*** End Patch",
    ].join("\n");
    const ledger = ledgerOf(user("go"), ...tool("apply_patch", { input: patch }));
    expect(ledger.changes).toHaveLength(1);
    expect(ledger.changes?.[0]?.lines).toHaveLength(6);
    expect(ledger.changes?.[0]?.lines[0]).toBe("const lineTotal0 = rateOf0(order);");
    expect(JSON.stringify(ledger.changes)).not.toContain("oldRate");
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

  it("is higher for new names than for old ones, and lowest for those that were only shown", () => {
    const ranks = ranksOf(
      ...tool("Grep", { pattern: "oldTyped" }),
      ...Array.from({ length: 5 }, () => tool("Bash", { command: "ls" }, "lorem ipsum ".repeat(5_000))).flat(),
      ...tool("Grep", { pattern: "newTyped" }, "onlyShown"),
    );
    expect(ranks).toEqual(["newTyped", "oldTyped", "onlyShown"]);
  });
});

describe("a path that was only shown", () => {
  const paths = ["logging/logger.go", "main.go", "zebra.go"].map((name) => `/app/cmd/tool/${name}`);
  const shown = tool("Bash", { command: "ls" }, paths.join("\n"));

  it("ranks by the uses of its shorter forms", () => {
    const ranks = rankNames(ledgerOf(...shown, ...tool("Grep", { pattern: "x", glob: "zebra.go" }))).map(
      ({ text }) => text,
    );
    expect(ranks.indexOf("/app/cmd/tool/zebra.go")).toBeLessThan(ranks.indexOf("/app/cmd/tool/main.go"));
  });

  it("gives the place of a file that was opened from another directory, unless two files end alike", () => {
    const opened = ["a", "b"].flatMap((name) => tool("Read", { file_path: `/app/cmd/${name}.go` }));
    const relative = ["cat cmd/a.go cmd/b.go", "head logging/logger.go"].flatMap((command) =>
      tool("Bash", { command }),
    );
    const started = [user("go"), ...shown, ...opened, ...relative];
    expect(lineOf(render(...started), "- Read")).toContain("cmd/tool/logging/logger.go");
    const twin = tool("Bash", { command: "ls" }, "/app/lib/logging/logger.go");
    expect(lineOf(render(...started, ...twin), "- Read")).toMatch(/(?<!\/)logging\/logger\.go/);
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

  it("if it is a numbered variable in a file, or a value that the agent wrote into one", () => {
    const file_path = "/app/shop/cart.ts";
    const read = specificTo(ledgerOf(...tool("Read", { file_path }, "validation3 and encoding/hex")));
    expect(["validation3", "encoding/hex"].map(read)).toEqual([true, false]);
    const edit = {
      file_path,
      old_string: "x",
      new_string: 'import "encoding/json"; checkout("shop/drafts"); // read/write',
    };
    const wrote = specificTo(ledgerOf(...tool("Edit", edit)));
    expect(["shop/drafts", "encoding/json", "read/write"].map(wrote)).toEqual([true, false, false]);
  });

  it.each([
    "origin/main",
    "t.Run",
    "fmt.Errorf",
    "encoding/hex",
    "item-12",
    "validation3",
    "request.Actually",
    "src/store.goLet",
  ])("unless it is like %s", (name) => {
    expect(isSpecific(name)).toBe(false);
  });
});

it("an argument in snake case is a name, such as a table or a column", () => {
  const note = render(user("go"), ...tool("describe", { table: "order_items" }));
  expect(sectionOf(note, "Names")).toBe("order_items");
});
