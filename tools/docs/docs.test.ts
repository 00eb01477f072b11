import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { DEFAULT_CONFIG } from "throughline/compact";
import { describe, expect, it } from "vitest";
import { PUBLISHED_BESIDE, publishedReadme } from "../package/published-readme.mjs";
import { root } from "../run/paths.mjs";
import { codeBlocks } from "./doc-pages.mjs";
import { documentedEntries, renderApiDocs, stalePages } from "./make-api-docs.mjs";
import { anchorsIn, linksIn } from "./markdown.mjs";
import { readApi } from "./read-api.mjs";

const read = (file: string) => readFileSync(path.join(root, file), "utf8");
// The README of the library is a copy that exists only while npm packs it.
const pages = globSync(
  ["*.md", "docs/*.md", "docs/{api,decisions,quick-start}/*.md", "packages/{cli,server}/README.md"],
  {
    cwd: root,
  },
);
const isRelative = (target: string) => !/^[a-z]+:/.test(target);

describe("the documentation", () => {
  it("has no broken link", () => {
    const broken = pages.flatMap((page) =>
      linksIn(read(page))
        .filter(({ target }) => isRelative(target) && !leadsSomewhere(page, target))
        .map(({ target }) => `${page}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it("imports only names that the packages export", () => {
    const exported = new Map(
      documentedEntries.map(({ specifier, file }) => [specifier, new Set(readApi(file).map(({ name }) => name))]),
    );
    const unknown = pages.flatMap((page) =>
      importsIn(read(page))
        .filter(({ specifier, name }) => !exported.get(specifier)?.has(name))
        .map(({ specifier, name }) => `${page}: ${name} from ${specifier}`),
    );
    expect(unknown).toEqual([]);
  });

  it("lists every page in docs/README.md", () => {
    const listed = linksIn(read("docs/README.md")).map(({ target }) => target);
    const all = globSync(["docs/*.md", "docs/quick-start/*.md"], { cwd: root }).map((page) =>
      page.slice("docs/".length),
    );
    expect(all.filter((page) => page !== "README.md" && !listed.includes(page))).toEqual([]);
  });

  it("names only files and folders that exist in the architecture", () => {
    const files = globSync("{packages,apps,bench,examples,tools,docs}/**/*.{ts,tsx,mjs,md}", {
      cwd: root,
      exclude: (name) => name === "node_modules" || name === "dist",
    }).map((file) => `/${file.replaceAll(path.sep, "/")}`);
    const named = [...read("docs/architecture.md").matchAll(/`([\w./-]+(?:\/|\.(?:tsx?|mjs)))`/g)].map(
      ([, name = ""]) => name,
    );
    expect(named.length).toBeGreaterThan(50);
    const exists = (name: string) =>
      files.some((file) => (name.endsWith("/") ? file.includes(`/${name}`) : file.endsWith(`/${name}`)));
    expect(named.filter((name) => !exists(name))).toEqual([]);
  });

  it("lists every decision", () => {
    const listed = linksIn(read("docs/decisions/README.md")).map(({ target }) => target);
    const all = globSync("docs/decisions/0*.md", { cwd: root }).map((page) => path.basename(page));
    expect(all.filter((page) => !listed.includes(page))).toEqual([]);
  });

  it("keeps README within 700 words and the concepts within 1,500", () => {
    const words = (file: string) => read(file).split(/\s+/).length;
    expect(words("README.md")).toBeLessThanOrEqual(700);
    expect(words("docs/concepts.md")).toBeLessThanOrEqual(1_500);
  });

  it("explains at most 15 words in the glossary", () => {
    expect(read("docs/glossary.md").match(/^\| (?!word|---)/gm)?.length).toBeLessThanOrEqual(15);
  });

  it("has valid JSON in every block of JSON", () => {
    const blocks = codeBlocks().filter(({ language }) => language === "json");
    expect(blocks.length).toBeGreaterThan(0);
    for (const { page, line, code } of blocks) expect(() => JSON.parse(code), `${page}:${line}`).not.toThrow();
  });
});

describe("docs/api", () => {
  it("is what `npm run docs:generate` writes", () => {
    expect(stalePages(), "Run npm run docs:generate.").toEqual([]);
  });

  it("has a type for everything that is exported", () => {
    const untyped = [...renderApiDocs()].flatMap(([page, text]) =>
      (text.match(/^.*(?:: |=> )any\b.*$/gm) ?? [])
        .filter((line) => !/^\s*(?:\/?\*|[A-Z-])/.test(line))
        .map((line) => `${page}: ${line}`),
    );
    expect(untyped).toEqual([]);
  });
});

describe("docs/configuration.md", () => {
  const sections = read("docs/configuration.md").split(/^(?=#{2,3} )/m);
  const OPTIONS = /(?:Options|Config|Input|Signals|Patch)$/;
  /** Passed through to a provider, and passed in by the AI SDK. */
  const FOREIGN = ["ProviderOptions", "StepInput"];

  it("has every option of every entry point", () => {
    const missing = documentedEntries.flatMap(({ specifier, file }) =>
      readApi(file)
        .filter((exported) => OPTIONS.test(exported.name) && !FOREIGN.includes(exported.name))
        .flatMap((options) => {
          const section = sections.filter((text) => text.includes(`\`${options.name}\``)).join("");
          const unknown = options.members.filter((member) => !new RegExp(`\`${member}[\`(]`).test(section));
          return section === "" || unknown.length > 0 ? [`${specifier}: ${options.name} ${unknown.join(", ")}`] : [];
        }),
    );
    expect(missing).toEqual([]);
  });

  /** The options with numbers in the column for the default, and their comments in the code. */
  const withNumbers = sections.flatMap((section) => {
    const types = documentedEntries
      .flatMap(({ file }) => readApi(file))
      .filter(({ name, kind }) => kind === "type" && section.includes(`\`${name}\``));
    const rows = section.matchAll(/^\| `(\w+)` \|(?:[^|]|\\\|)*\|((?:[^|]|\\\|)*)\|/gm);
    return [...rows].flatMap(([, option = "", given = ""]) => {
      const numbers = given.match(/\d[\d,.]*\d|[2-9]|0/g);
      const code = types.find(({ members }) => members.includes(option))?.code ?? "";
      const [, comment] =
        new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\s*(?:readonly )?${option}\\??[:(]`).exec(code) ?? [];
      return numbers === null || comment === undefined ? [] : [{ option, numbers, comment }];
    });
  });

  it("has the defaults of the code", () => {
    const config: Readonly<Record<string, unknown>> = { ...DEFAULT_CONFIG };
    const stale = withNumbers.filter(({ option, numbers, comment }) => {
      const [first = ""] = numbers;
      if (option in config) return config[option] !== Number(first.replaceAll(",", ""));
      return numbers.some((number) => !comment.includes(number));
    });
    expect(withNumbers.length).toBeGreaterThan(30);
    expect(stale).toEqual([]);
  });
});

describe("a published README", () => {
  const text = read("README.md");

  it("has no relative link to a file that is not published with it", () => {
    const targets = linksIn(publishedReadme(text, undefined)).map(({ target }) => target);
    expect(targets.filter((target) => isRelative(target) && !target.startsWith("#"))).toEqual(
      expect.arrayContaining(["docs/images/window.svg"]),
    );
    expect(
      targets.filter((target) => isRelative(target) && !target.startsWith("#") && !PUBLISHED_BESIDE.includes(target)),
    ).toEqual([]);
  });

  it("links to the repository if the package names one", () => {
    const published = publishedReadme("See [Concepts](docs/concepts.md).", "git+https://example.org/a/b.git");
    expect(published).toBe("See [Concepts](https://example.org/a/b/blob/main/docs/concepts.md).");
  });

  it("of another package has no relative link", () => {
    const others = globSync("packages/{cli,server}/README.md", { cwd: root });
    const relative = others.flatMap((page) => linksIn(read(page)).filter(({ target }) => isRelative(target)));
    expect(relative).toEqual([]);
  });
});

/** True if a relative link leads to a file, and its fragment to a heading of that file. */
function leadsSomewhere(page: string, target: string): boolean {
  const [file = "", fragment] = target.split("#");
  const full = file === "" ? path.join(root, page) : path.join(root, path.dirname(page), file);
  if (!existsSync(full)) return false;
  return fragment === undefined || anchorsIn(readFileSync(full, "utf8")).includes(fragment);
}

/** The names that the examples of a page import from our packages. */
function importsIn(text: string): { readonly specifier: string; readonly name: string }[] {
  const imports = text.matchAll(/import \{([^}]*)\} from "(@?throughline[^"]*)"/g);
  return [...imports].flatMap(([, names = "", specifier = ""]) =>
    names
      .split(",")
      .map((name) => name.replace(/^\s*type /, "").trim())
      .filter((name) => name !== "")
      .map((name) => ({ specifier, name })),
  );
}
