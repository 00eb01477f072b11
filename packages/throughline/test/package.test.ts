import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundledPackages } from "../../../tools/third-party.mjs";
import { builtFile, manifest, packageFolder } from "./built.ts";

let folder: string;
let tarball: string;

beforeAll(() => {
  builtFile("index.js");
  folder = mkdtempSync(join(tmpdir(), "throughline-package-"));
  tarball = pack(folder);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the built package", () => {
  it("exports values that Node can import from every entry", () => {
    // From its own folder a package is resolved by its exports map, as it is from outside. In a process of its own:
    // vitest resolves in another way.
    const imports = Object.keys(manifest.exports).map((subpath) => {
      const attributes = subpath.endsWith(".json") ? ', { with: { type: "json" } }' : "";
      return `import("${manifest.name}${subpath.slice(1)}"${attributes})`;
    });
    const script = `const all = await Promise.all([${imports}]); console.log(all.map((one) => Object.keys(one).length).join())`;
    const counts = node(["--input-type=module", "--eval", script], packageFolder).trim().split(",").map(Number);
    expect(counts).toHaveLength(Object.keys(manifest.exports).length);
    expect(Math.min(...counts)).toBeGreaterThan(0);
  });

  it("finds the word vectors beside itself", () => {
    const embed = `await wordEmbedder().embed(["The cat sleeps.", "A dog naps."])`;
    const script = `import { wordEmbedder } from "throughline"; console.log((${embed}).map(({ length }) => length).join())`;
    expect(node(["--input-type=module", "--eval", script], packageFolder).trim()).toBe("100,100");
  });

  it("brings the web framework to the server and the command line alone", () => {
    const users = Object.keys(manifest.exports)
      .filter((subpath) => !subpath.endsWith(".json"))
      .map((subpath) => `${subpath === "." ? "index" : subpath.slice(2)}.js`)
      .filter((file) => packagesBehind(file).some((name) => /^(@hono\/|hono\b)/.test(name)));
    expect(users).toEqual(["server.js"]);
    expect(packagesBehind("react.js").filter((name) => !name.startsWith("node:"))).toContain("react");
  });

  it("adds nothing to the global types of those who use it", () => {
    const types = readdirSync(join(packageFolder, "dist")).filter((file) => file.endsWith(".d.ts"));
    expect(types).toContain("index.d.ts");
    expect(types.filter((file) => readFileSync(builtFile(file), "utf8").includes("declare global"))).toEqual([]);
  });

  it.each(Object.entries(manifest.bin))("has the command %s, which a shell can run", (_name, file) => {
    const text = readFileSync(builtFile(file.replace("./dist/", "")), "utf8");
    expect(text).toMatch(/^#!\/usr\/bin\/env node\n/);
  });
});

describe("the tarball", () => {
  const list = () => execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" }).trim().split("\n");

  it("has the Studio, whole", () => {
    const studio = readdirSync(join(packageFolder, "dist", "studio"), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map(({ parentPath, name }) => `package${join(parentPath, name).slice(packageFolder.length - 1)}`);
    for (const name of ["index.html", "sw.js", "manifest.webmanifest", "icon.svg"]) {
      expect(studio).toContain(`package/dist/studio/${name}`);
    }
    expect(list()).toEqual(expect.arrayContaining(studio));
  });

  it("has what a reader needs, and no tests, sources or stamps", () => {
    const files = list();
    const data = ["dist/word-vectors.bin", "dist/token-ranks.bin"];
    const names = ["package.json", "README.md", "LICENSE", "THIRD-PARTY-NOTICES.txt", ...data];
    const needed = names.map((file) => `package/${file}`);
    expect(files).toEqual(expect.arrayContaining(needed));
    expect(files.filter((file) => /\.test\b|\.arbitrary\b|\.map$|^package\/(src|test)\/|\/\._/.test(file))).toEqual([]);
  });

  it("has the notices of everything that is bundled, and of the data of others", () => {
    const file = "package/THIRD-PARTY-NOTICES.txt";
    const notices = execFileSync("tar", ["-xzOf", tarball, file], { encoding: "utf8" }).split(/\n\n-{80}\n\n/);
    const withNotice = new Map(notices.map((notice) => [notice.replace(/ \S+\n[\s\S]*$/, ""), notice]));
    const studio = JSON.parse(readFileSync(join(packageFolder, "../../apps/studio/package.json"), "utf8"));
    const named = Object.keys(studio.dependencies).filter((name) => name !== manifest.name);
    const bundled = [...named, "highlight.js", "scheduler", ...packagesInside("dist")];
    expect(bundled.filter((name) => !withNotice.has(name))).toEqual([]);
    for (const recorded of bundledPackages()) {
      const notice = withNotice.get(recorded.name) ?? "";
      const isWhole = /Copyright|Permission is hereby granted|Apache License|The text of [\w.-]+ is under/.test(notice);
      expect({ name: recorded.name, isWhole }).toEqual({ name: recorded.name, isWhole: true });
    }
    const data = notices.slice(0, 4).join("\n");
    for (const words of ["GloVe", "PDDL", "Token ranks", "OpenAI", "Context windows"]) expect(data).toContain(words);
  });

  it("gives publint nothing to report", async () => {
    const bytes = new Uint8Array(readFileSync(tarball)).buffer;
    const { messages, pkg } = await publint({ pack: { tarball: bytes }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });

  it("has types that resolve wherever ES modules do", () => {
    const attw = fileURLToPath(new URL("dist/index.js", import.meta.resolve("@arethetypeswrong/cli/package.json")));
    // The types are our own: without this flag it asks the registry for others.
    const flags = ["--profile", "esm-only", "--no-definitely-typed", "--format", "ascii", "--no-color", "--no-emoji"];
    expect(() => node([attw, tarball, ...flags], folder)).not.toThrow();
  });
});

/** Packages whose code stands in our own modules: the bundler says where each file begins. */
function packagesInside(place: string): string[] {
  const files = readdirSync(join(packageFolder, place)).filter((file) => file.endsWith(".js"));
  const regions = files.flatMap((file) => [
    ...readFileSync(join(packageFolder, place, file), "utf8").matchAll(
      /^\/\/#region .*node_modules\/((?:@[^/]+\/)?[^/]+)\//gm,
    ),
  ]);
  return [...new Set(regions.map(([, name = ""]) => name))];
}

/** What an entry imports from other packages, by itself or through our own files. */
function packagesBehind(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const { importedFiles } = ts.preProcessFile(readFileSync(builtFile(file), "utf8"), true, true);
  return importedFiles.flatMap(({ fileName }) =>
    fileName.startsWith("./") ? packagesBehind(fileName.slice(2), seen) : [fileName],
  );
}

function pack(destination: string): string {
  const npm = process.env.npm_execpath;
  const args = ["pack", "--silent", "--pack-destination", destination];
  if (npm) node([npm, ...args], packageFolder);
  else execFileSync("npm", args, { cwd: packageFolder, shell: process.platform === "win32" });
  const name = readdirSync(destination).find((file) => file.endsWith(".tgz"));
  if (!name) throw new Error("npm pack made no tarball");
  return join(destination, name);
}

/** What a script prints; its complaints, where it fails, are in the error. */
function node(args: string[], cwd: string): string {
  try {
    return execFileSync(process.execPath, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    if (error instanceof Error && "stdout" in error) throw new Error(`${error.message}\n${error.stdout}`);
    throw error;
  }
}
