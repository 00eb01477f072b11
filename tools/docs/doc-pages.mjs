import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root } from "../run/paths.mjs";
import { declaredIn, namesUsedIn, parse, specifier } from "./doc-examples.mjs";

/**
 * @typedef {object} CodeBlock
 * @property {string} page path from the root of the repository
 * @property {number} line first line of the code
 * @property {string} language
 * @property {string} code without the indentation of the block
 */

/** Pages that people write. `docs/api` and `docs/cli.md` are generated, decisions quote code that may be gone. */
const PAGES = ["README.md", "CONTRIBUTING.md", "docs/*.md", "docs/quick-start/*.md", "packages/*/README.md"];
const BLOCK = /^( *)```(\w+)\n([\s\S]*?)^\1```$/gm;

/** `tsconfig.doc-pages.json` type-checks the modules in it. */
const scratch = join(root, "node_modules", ".cache", "throughline", "doc-pages");
/** Declares the variables that a page may use without defining them. */
const PRELUDE = join(root, "tools", "docs", "doc-pages.prelude.ts");

/** @returns {CodeBlock[]} the code blocks with a language, of all pages */
export function codeBlocks() {
  return globSync(PAGES, { cwd: root }).flatMap((page) => {
    const text = readFileSync(join(root, page), "utf8");
    return [...text.matchAll(BLOCK)].map(({ index, 1: indent = "", 2: language = "", 3: code = "" }) => ({
      page: page.replaceAll("\\", "/"),
      line: text.slice(0, index).split("\n").length + 1,
      language,
      code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    }));
  });
}

/** Writes a module for each TypeScript block that is not a file of `examples/`, which the compiler reads there. */
export function writeDocPages() {
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  const examples = new Set(
    globSync("examples/**/*.ts", { cwd: root }).map((file) => readFileSync(join(root, file), "utf8")),
  );
  for (const { page, line, language, code } of codeBlocks()) {
    if (!["ts", "tsx"].includes(language) || examples.has(code)) continue;
    const file = join(scratch, `${page.replace(/\W+/g, "-")}-${line}.${language === "ts" ? "mts" : "tsx"}`);
    writeFileSync(file, `// ${page}:${line}\n${preludeImport(file, code)}${code}\nexport {};\n`);
  }
}

/**
 * @param {string} file
 * @param {string} code
 */
function preludeImport(file, code) {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const [declared, given] = [declaredIn(source), declaredIn(parse(PRELUDE))];
  const names = [...namesUsedIn(source)].filter((name) => given.has(name) && !declared.has(name));
  return names.length === 0 ? "" : `import { ${names.join(", ")} } from "${specifier(file, PRELUDE)}";\n`;
}

/**
 * The `throughline` commands of a shell block, as lists of arguments. Continued lines are joined; comments, output and
 * what follows a pipe are left out.
 *
 * @param {CodeBlock} block
 * @returns {string[][]}
 */
export function commandsIn({ language, code }) {
  if (!["sh", "console"].includes(language)) return [];
  const lines = code.replaceAll(/\\\n\s*/g, "").split("\n");
  const typed =
    language === "console" ? lines.flatMap((line) => (line.startsWith("$ ") ? [line.slice(2)] : [])) : lines;
  return typed.flatMap((line) => {
    const words = line.replace(/(?:^|\s)#.*$/, "").match(/"[^"]*"|'[^']*'|[^\s"'|;&]+/g) ?? [];
    const at = words.findIndex((word) => word === "throughline" || /(?:^|\/)packages\/cli\/dist\/bin\.js$/.test(word));
    const before = words.slice(0, Math.max(0, at));
    if (at < 0 || !before.every((word) => word === "npx" || word === "node" || word.includes("="))) return [];
    return [words.slice(at + 1).map((word) => word.replaceAll(/^["']|["']$/g, ""))];
  });
}
