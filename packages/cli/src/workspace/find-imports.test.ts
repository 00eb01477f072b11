import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../throughline/test/cases.ts";
import { findImports } from "./find-imports.ts";
import { languageOf, parseSource } from "./parse-source.ts";
import { projectFolder } from "./project.fixture.ts";
import { FileIndex } from "./project-files.ts";
import { openWorkspace } from "./workspace.ts";

function importsIn(files: Readonly<Record<string, string>>, file: string): Promise<readonly string[]> {
  return openWorkspace(projectFolder(files)).importsOf(file);
}

/** Empty files. */
function empty(...files: readonly string[]): Record<string, string> {
  return Object.fromEntries(files.map((file) => [file, ""]));
}

describe("imports of TypeScript and JavaScript", () => {
  it("are found in every form, and only if they are imports", async () => {
    const text = `
      import a from "./a";
      import type { B } from "../lib/b.js";
      export * from "./c/index.ts";
      export { d } from './d';
      const e = await import("./e.mjs");
      const f = require("./f");
      import g = require("./g");
      import "./styles.css";
      type H = import("./h").H;
      // import "./no";
      const text = 'import "./no"';
      import react from "react";
      import "./missing";
      import self from "./x";`;
    const there = ["src/a.ts", "lib/b.tsx", "src/c/index.ts", "src/d/index.js", "src/e.mts", "src/f.cjs", "src/g.d.ts"];
    const files = { ...empty(...there, "src/styles.css", "src/h.ts", "src/no.ts"), "src/x.ts": text };
    expect(await importsIn(files, "src/x.ts")).toEqual([...there, "src/styles.css", "src/h.ts"]);
  });

  it("follow the compiler's paths and base, including those that it extends or references", async () => {
    const files = {
      ...empty("src/lib/money.ts", "src/pages/home.tsx", "packages/ui/src/index.ts", "src/lib/exact.ts"),
      "tsconfig.base.json":
        '{ "compilerOptions": { "paths": { "@/*": ["./src/*"], "ui": ["packages/ui/src"], } } } // end',
      "tsconfig.json": '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }',
      "tsconfig.app.json": '{ "extends": "./tsconfig.base", "compilerOptions": { "baseUrl": "src" } }',
      "src/x.tsx":
        'import "@/lib/money"; import "pages/home"; import "ui"; import "ui/other"; import "@/lib/exact.js";',
    };
    expect(await importsIn(files, "src/x.tsx")).toEqual([
      "src/lib/money.ts",
      "src/pages/home.tsx",
      "packages/ui/src/index.ts",
      "src/lib/exact.ts",
    ]);
  });

  it("tolerate an invalid configuration, or one that extends itself", async () => {
    const text = 'import "./a"; import "@/b";';
    const broken = { ...empty("a.ts"), "tsconfig.json": "{ not json", "x.ts": text };
    expect(await importsIn(broken, "x.ts")).toEqual(["a.ts"]);
    const round = { ...empty("a.ts"), "tsconfig.json": '{ "extends": "./tsconfig.json" }', "x.ts": text };
    expect(await importsIn(round, "x.ts")).toEqual(["a.ts"]);
  });
});

describe("imports of Python", () => {
  it("are found from the package, from its root, and relative to the file", async () => {
    const files = {
      ...empty("app/__init__.py", "app/models/__init__.py", "app/models/user.py", "app/db.py", "app/api/__init__.py"),
      ...empty("app/api/deps.py", "tools/helper.py", "json.py"),
      "app/api/users.py": `
import os, json
import app.db as database
from app.models import user, missing
from . import deps
from .. import db
from ..models.user import User
from app.api.deps import (get_db, get_user as me)
from fastapi import APIRouter
`,
    };
    expect(await importsIn(files, "app/api/users.py")).toEqual([
      "json.py",
      "app/db.py",
      "app/models/user.py",
      "app/models/__init__.py",
      "app/api/deps.py",
    ]);
  });

  it("are found below src", async () => {
    const files = {
      ...empty("src/shop/__init__.py", "src/shop/cart.py"),
      "tests/test_cart.py": "from shop import cart",
    };
    expect(await importsIn(files, "tests/test_cart.py")).toEqual(["src/shop/cart.py"]);
  });
});

describe("imports of Go", () => {
  it("are the files of a package in one of the project's modules, without its tests", async () => {
    const files = {
      ...empty("store/sql.go", "store/sql_test.go", "store/deep/x.go", "tool/run/run.go"),
      "go.mod": "// the shop\nmodule example.org/shop\n\ngo 1.22\n",
      "tool/go.mod": "module example.org/shop/tool\n",
      "main.go":
        'package main\nimport (\n "fmt"\n db "example.org/shop/store"\n "example.org/shop/tool/run"\n "example.org/shopping/x"\n)',
    };
    expect(await importsIn(files, "main.go")).toEqual(["store/sql.go", "tool/run/run.go"]);
  });
});

describe("imports of Rust", () => {
  it("are modules, and used items of the crate and of other crates of the project", async () => {
    const files = {
      ...empty(
        "src/lib.rs",
        "src/config.rs",
        "src/routes/users.rs",
        "src/routes/orders/mod.rs",
        "src/db/pool.rs",
        "src/db.rs",
      ),
      ...empty("common/src/lib.rs", "common/src/money.rs", "src/routes/util.rs"),
      "Cargo.toml": '[package]\nname = "shop"\n[dependencies]\nserde = "1"\n',
      "common/Cargo.toml": '[package]\nversion = "1"\nname = "shop-common"\n',
      "src/routes/mod.rs": `
mod users;
mod orders;
use crate::db::{self, pool::Pool};
use super::config::Config;
use self::util::slug;
use serde::Deserialize;
use shop_common::money::Money;
mod inline { use super::users::find; }
#[cfg(test)]
mod tests { use super::*; }
`,
    };
    expect(await importsIn(files, "src/routes/mod.rs")).toEqual([
      "src/routes/users.rs",
      "src/routes/orders/mod.rs",
      "src/db.rs",
      "src/db/pool.rs",
      "src/config.rs",
      "src/routes/util.rs",
      "common/src/money.rs",
    ]);
  });
});

describe("imports of Java", () => {
  it("are classes by package, including their members and whole packages", async () => {
    const base = "app/src/main/java/shop";
    const files = {
      ...empty(`${base}/user/User.java`, `${base}/order/Order.java`, `${base}/order/Line.java`, `${base}/Money.java`),
      ...empty("other/src/main/java/shop/user/User.java"),
      [`${base}/web/UserController.java`]: `
package shop.web;
import java.util.List;
import shop.user.User;
import shop.order.*;
import static shop.Money.euros;
import shop.user.User.Role;
class UserController {}
`,
    };
    expect(await importsIn(files, `${base}/web/UserController.java`)).toEqual([
      `${base}/user/User.java`,
      `${base}/order/Line.java`,
      `${base}/order/Order.java`,
      `${base}/Money.java`,
    ]);
  });
});

describe("imports", () => {
  it("are empty for a missing file, or one in another language", async () => {
    expect(await importsIn({ "a.md": "import x from './b'" }, "a.md")).toEqual([]);
    expect(await importsIn(empty("a.ts"), "b.ts")).toEqual([]);
  });

  it("are files of the project, for any source and settings", async () => {
    const words = [
      "import",
      "from",
      "use",
      "mod",
      "crate",
      "super",
      "self",
      "::",
      ".",
      "..",
      "*",
      "{",
      "}",
      "(",
      ")",
      ";",
      "\n",
    ];
    const more = [
      "export",
      "require",
      "'./a'",
      '"./b.js"',
      '"@/c"',
      '"x/d"',
      "a",
      "b",
      "as",
      ",",
      "package",
      "static",
      "/",
      '"',
    ];
    const text = fc.array(fc.constantFrom(...words, ...more), { maxLength: 60 }).map((all) => all.join(" "));
    const file = fc.constantFrom("src/x.ts", "src/x.py", "src/x.go", "src/x.rs", "src/X.java");
    const there = ["src/a.ts", "b.ts", "src/a.py", "src/a/__init__.py", "a/b.go", "src/lib.rs", "src/a.rs", "a/b.java"];
    const files = new FileIndex([...there, "tsconfig.json", "go.mod", "Cargo.toml"]);
    await fc.assert(
      fc.asyncProperty(file, text, text, async (path, code, settings) => {
        const language = languageOf(path) ?? "typescript";
        const root = await parseSource(code, language);
        if (root === undefined) return;
        const found = await findImports(language, { path, root, files, read: async () => settings });
        expect(found.filter((one) => !files.has(one) || one === path)).toEqual([]);
        expect(new Set(found).size).toBe(found.length);
      }),
      { numRuns: cases(60) },
    );
  });
});
