import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linksIn } from "../../../tools/docs/markdown.mjs";
import { cli, library, packages, server } from "../../../tools/package/entry-points.mjs";
import { bundledPackages } from "../../../tools/package/third-party.mjs";
import { studioFolder } from "../../../tools/run/paths.mjs";
import { builtFile, manifestOf } from "./built.ts";
import { SOAK } from "./cases.ts";

let scratch: string;
const tarballs = new Map<string, string>();

beforeAll(() => {
  builtFile("index.js");
  scratch = mkdtempSync(join(tmpdir(), "throughline-package-"));
  for (const { name, folder } of packages) tarballs.set(name, pack(folder));
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe.each(packages)("the built package $name", ({ name, folder, entries }) => {
  const manifest = manifestOf(folder);
  const list = () =>
    execFileSync("tar", ["-tzf", tarball(name)], { encoding: "utf8" })
      .trim()
      .split("\n");

  it("exports values that Node can import from every entry", () => {
    // From its own folder a package is resolved by its exports map, as it is from outside. In a separate process:
    // vitest resolves in another way.
    const subpaths = Object.keys(manifest.exports).filter((subpath) => !subpath.endsWith(".bin"));
    const imports = subpaths.map((subpath) => {
      const attributes = subpath.endsWith(".json") ? ', { with: { type: "json" } }' : "";
      return `import("${manifest.name}${subpath.slice(1)}"${attributes})`;
    });
    const script = `const all = await Promise.all([${imports}]); console.log(all.map((one) => Object.keys(one).length).join())`;
    const counts = node(["--input-type=module", "--eval", script], folder).trim().split(",").map(Number);
    // Each built entry, and package.json.
    expect(counts).toHaveLength(Object.keys(entries).length + 1);
    // The types of `tl.context` have no values beside them.
    const withoutValues = subpaths.filter((_, index) => counts[index] === 0);
    expect(withoutValues.filter((entry) => entry !== "./context")).toEqual([]);
  });

  it("adds nothing to the global types of programs that use it", () => {
    const types = readdirSync(join(folder, "dist")).filter((file) => file.endsWith(".d.ts"));
    expect(types.length).toBeGreaterThan(0);
    expect(types.filter((file) => readFileSync(join(folder, "dist", file), "utf8").includes("declare global"))).toEqual(
      [],
    );
  });

  it("has commands that a shell can run", () => {
    for (const file of Object.values(manifest.bin ?? {})) {
      expect(readFileSync(join(folder, file), "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
    }
  });

  it("packs README and LICENSE, and no tests, sources or stamps", () => {
    const files = list();
    expect(files).toEqual(
      expect.arrayContaining(["package.json", "README.md", "LICENSE"].map((file) => `package/${file}`)),
    );
    expect(
      files.filter((file) => /\.test\b|\.arbitrary\b|\.fixture\b|\.map$|^package\/(src|test)\/|\/\._/.test(file)),
    ).toEqual([]);
  });

  it("has a README whose relative links lead to files of the package", () => {
    const readme = execFileSync("tar", ["-xzOf", tarball(name), "package/README.md"], { encoding: "utf8" });
    const relative = linksIn(readme).filter(({ target }) => !/^(?:[a-z]+:|#)/.test(target));
    expect(list()).toEqual(expect.arrayContaining(relative.map(({ target }) => `package/${target}`)));
  });

  it("gives publint nothing to report", async () => {
    const bytes = new Uint8Array(readFileSync(tarball(name))).buffer;
    const { messages, pkg } = await publint({ pack: { tarball: bytes }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });

  // All three are built alike, so one check is enough: it takes seconds.
  it.runIf(name === library.name || SOAK > 1)("has types that resolve wherever ES modules do", () => {
    const attw = fileURLToPath(new URL("dist/index.js", import.meta.resolve("@arethetypeswrong/cli/package.json")));
    // The types are our own: without this flag it asks the registry for others.
    const flags = ["--profile", "esm-only", "--no-definitely-typed", "--format", "ascii", "--no-color", "--no-emoji"];
    // All entries are built alike too, and the examples are checked against them.
    const some = SOAK > 1 ? [] : ["--entrypoints", ".", "sqlite"];
    expect(() => node([attw, tarball(name), ...flags, ...some], scratch)).not.toThrow();
  });
});

describe("the library", () => {
  it("has no run-time dependencies", () => {
    expect(manifestOf(library.folder).dependencies ?? {}).toEqual({});
  });

  it("imports other packages only from the entries of optional peers", () => {
    const others = Object.keys(library.entries).flatMap((entry) => {
      const names = packagesBehind(`${entry}.js`).filter((name) => !name.startsWith("node:"));
      return names.length === 0 ? [] : [[entry, [...new Set(names)].sort()]];
    });
    expect(Object.fromEntries(others)).toEqual({
      dexie: ["dexie"],
      "internal/sql": ["pg"],
      postgres: ["pg"],
      react: ["react", "react/jsx-runtime"],
    });
  });

  it("finds the word vectors beside itself", () => {
    const embed = `await wordEmbedder().embed(["The cat sleeps.", "A dog naps."])`;
    const script = `import { wordEmbedder } from "throughline"; console.log((${embed}).map(({ length }) => length).join())`;
    expect(node(["--input-type=module", "--eval", script], library.folder).trim()).toBe("100,100");
  });

  it("starts the command line of the same version", () => {
    const bin = join(library.folder, "dist", "bin.js");
    expect(node([bin, "--version"], scratch).trim()).toBe(manifestOf(cli.folder).version);
  });

  it("has at most 8 MB unpacked", () => {
    const unpacked = mkdtempSync(join(scratch, "unpacked-"));
    execFileSync("tar", ["-xzf", tarball(library.name), "-C", unpacked]);
    const files = readdirSync(unpacked, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    const sizes = files.map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(8_000_000);
  });

  it("packs its data files", () => {
    const files = execFileSync("tar", ["-tzf", tarball(library.name)], { encoding: "utf8" });
    for (const file of ["word-vectors.bin", "token-ranks.bin"]) expect(files).toContain(`package/dist/${file}\n`);
  });
});

describe("the packages", () => {
  it("have one version, and depend on each other in just that version", () => {
    const [libraryVersion, ...others] = packages.map(({ folder }) => manifestOf(folder).version);
    expect(new Set(others)).toEqual(new Set([libraryVersion]));
    expect(manifestOf(server.folder).dependencies).toMatchObject({ throughline: libraryVersion });
    expect(manifestOf(cli.folder).dependencies).toMatchObject({
      throughline: libraryVersion,
      "@throughline/server": libraryVersion,
    });
  });
});

describe("the Studio", () => {
  it("is packed whole, with the command line", () => {
    const studio = readdirSync(join(cli.folder, "dist", "studio"), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map(({ parentPath, name }) => `package${join(parentPath, name).slice(cli.folder.length)}`);
    for (const name of ["index.html", "sw.js", "manifest.webmanifest", "icon.svg"]) {
      expect(studio).toContain(`package/dist/studio/${name}`);
    }
    const files = execFileSync("tar", ["-tzf", tarball(cli.name)], { encoding: "utf8" })
      .trim()
      .split("\n");
    expect(files).toEqual(expect.arrayContaining(studio));
  });

  it("has no copy of the library's data files", () => {
    const files = execFileSync("tar", ["-tzf", tarball(cli.name)], { encoding: "utf8" });
    expect(files).not.toContain(".bin\n");
  });

  it("is recorded with what its page of a report bundles", () => {
    expect(bundledPackages("report").map(({ name }) => name)).toEqual(expect.arrayContaining(["react", "react-dom"]));
  });
});

describe("the third-party notices", () => {
  const noticesOf = (name: string) => {
    const text = execFileSync("tar", ["-xzOf", tarball(name), "package/THIRD-PARTY-NOTICES.txt"], { encoding: "utf8" });
    const notices = text.split(/\n\n-{80}\n\n/);
    return new Map(notices.map((notice) => [notice.replace(/ \S+\n[\s\S]*$/, ""), notice]));
  };

  it.each([
    { name: library.name, builds: ["library"] as const, data: ["GloVe", "PDDL", "Token ranks", "OpenAI"] },
    { name: cli.name, builds: ["quick-commands", "studio", "report"] as const, data: [] },
  ])("of $name list everything that is bundled, and the data of others", ({ name, builds, data }) => {
    const notices = noticesOf(name);
    for (const recorded of builds.flatMap((build) => bundledPackages(build))) {
      const notice = notices.get(recorded.name) ?? "";
      const isWhole = /Copyright|Permission is hereby granted|Apache License|The text of [\w.-]+ is under/.test(notice);
      expect({ name: recorded.name, isWhole }).toEqual({ name: recorded.name, isWhole: true });
    }
    const first = [...notices.values()].slice(0, 4).join("\n");
    for (const words of [...data, "Context windows"]) expect(first).toContain(words);
  });

  it("of @throughline/server name Swagger UI, which it packs", () => {
    expect([...noticesOf(server.name).values()].join("\n")).toMatch(/Swagger UI[\s\S]*SmartBear/);
    const files = execFileSync("tar", ["-tzf", tarball(server.name)], { encoding: "utf8" });
    expect(files).toContain("package/dist/swagger-ui/swagger-ui-bundle.js\n");
  });

  it("name the Studio's dependencies, and the code in the library's own files", () => {
    const studio = JSON.parse(readFileSync(join(studioFolder, "package.json"), "utf8"));
    const named = Object.keys(studio.dependencies).filter((name) => name !== library.name);
    const ofStudio = noticesOf(cli.name);
    expect([...named, "highlight.js", "scheduler"].filter((name) => !ofStudio.has(name))).toEqual([]);
    const ofLibrary = noticesOf(library.name);
    expect(packagesInside(library.folder)).toContain("image-size");
    expect(packagesInside(library.folder).filter((name) => !ofLibrary.has(name))).toEqual([]);
  });
});

function tarball(name: string): string {
  const path = tarballs.get(name);
  if (path === undefined) throw new Error(`${name} was not packed`);
  return path;
}

/** Packages with code in the built modules: the bundler marks where each file begins. */
function packagesInside(folder: string): string[] {
  const files = readdirSync(join(folder, "dist")).filter((file) => file.endsWith(".js"));
  const regions = files.flatMap((file) => [
    ...readFileSync(join(folder, "dist", file), "utf8").matchAll(
      /^\/\/#region .*node_modules\/((?:@[^/]+\/)?[^/]+)\//gm,
    ),
  ]);
  return [...new Set(regions.map(([, name = ""]) => name))];
}

/** The packages that an entry of the library imports, by itself or through the library's other files. */
function packagesBehind(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const { importedFiles } = ts.preProcessFile(readFileSync(builtFile(file), "utf8"), true, true);
  return importedFiles.flatMap(({ fileName }) =>
    fileName.startsWith(".") ? packagesBehind(join(file, "..", fileName), seen) : [fileName],
  );
}

function pack(folder: string): string {
  const npm = process.env.npm_execpath;
  const destination = mkdtempSync(join(scratch, "pack-"));
  const args = ["pack", "--silent", "--pack-destination", destination];
  if (npm) node([npm, ...args], folder);
  else execFileSync("npm", args, { cwd: folder, shell: process.platform === "win32" });
  const name = readdirSync(destination).find((file) => file.endsWith(".tgz"));
  if (!name) throw new Error("npm pack made no tarball");
  return join(destination, name);
}

/** The output of a script; if it fails, its complaints are in the error. */
function node(args: string[], cwd: string): string {
  try {
    return execFileSync(process.execPath, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    if (error instanceof Error && "stdout" in error) throw new Error(`${error.message}\n${error.stdout}`);
    throw error;
  }
}
