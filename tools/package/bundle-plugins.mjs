import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { specifiers } from "./entry-points.mjs";

/** The library reads its data files from beside its modules: in a bundle, from the package. */
const LIBRARY_URL = "require.libraryUrl()";
const IMPORT = /^import \{([^}]*)\} from "(throughline[^"]*)";$/gm;
const EXPORT = /^export \{([^}]*)\} from "([^"]+)";$/gm;

/**
 * Bundles the library from its source. Each name is imported from its module instead of the entry point, which would
 * evaluate all modules that the bundle has of it.
 *
 * @type {import("tsdown").Rolldown.Plugin}
 */
export const librarySource = {
  name: "throughline:library-source",
  resolveId: (id) => specifiers.find(({ specifier }) => specifier === id)?.file,
  transform: {
    filter: { id: /packages[\\/](?:throughline|cli)[\\/]src[\\/].*\.ts$/ },
    handler: (code) =>
      code
        .replaceAll(IMPORT, (_, names, specifier) => importDirectly(names, specifier))
        .replaceAll(/\(import\.meta as \{[^}]*\}\)/g, `({ url: ${LIBRARY_URL} })`)
        .replaceAll(/= import\.meta as \{[^}]*\};/g, `= { url: ${LIBRARY_URL} };`),
  },
};

/**
 * @param {string} names
 * @param {string} specifier
 */
function importDirectly(names, specifier) {
  const places = exportsOf(specifier);
  return namesIn(names)
    .map((name) => `import { ${name} } from ${JSON.stringify(places.get(name))};`)
    .join(" ");
}

/** @type {Map<string, ReadonlyMap<string, string>>} */
const known = new Map();

/**
 * The values that an entry point of the library exports, each with the file of its module.
 *
 * @param {string} specifier
 */
function exportsOf(specifier) {
  let places = known.get(specifier);
  if (places === undefined) {
    const { file } = specifiers.find((one) => one.specifier === specifier) ?? { file: specifier };
    const lines = [...readFileSync(file, "utf8").matchAll(EXPORT)];
    places = new Map(
      lines.flatMap(([, names = "", from = ""]) =>
        namesIn(names).map((name) => /** @type {const} */ ([name, join(dirname(file), from)])),
      ),
    );
    known.set(specifier, places);
  }
  return places;
}

/**
 * The names of values in the braces of an import or export.
 *
 * @param {string} names
 */
function namesIn(names) {
  return names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "));
}

/** Modules of Node that take milliseconds to load, and that most commands do not need. */
const SLOW_BUILTINS = new Set([
  "node:child_process",
  "node:crypto",
  "node:fs/promises",
  "node:timers/promises",
  "node:zlib",
]);
const PREFIX = "\0lazy:";

/**
 * Loads some modules of Node at the first call of one of their functions.
 *
 * @type {import("tsdown").Rolldown.Plugin}
 */
export const lazyBuiltins = {
  name: "throughline:lazy-builtins",
  resolveId: (id) => (SLOW_BUILTINS.has(id) ? { id: `${PREFIX}${id}`, moduleSideEffects: false } : undefined),
  load(id) {
    if (!id.startsWith(PREFIX)) return undefined;
    const name = id.slice(PREFIX.length);
    const found = Object.entries(process.getBuiltinModule(name) ?? {}).filter(([key]) => /^[a-z]/.test(key));
    return [
      `const load = () => process.getBuiltinModule(${JSON.stringify(name)});`,
      "const lazily = (find) => new Proxy({}, { get: (_, key) => find()[key] });",
      ...found.map(([key, value]) =>
        typeof value === "function"
          ? `export const ${key} = (...args) => load().${key}(...args);`
          : `export const ${key} = /* @__PURE__ */ lazily(() => load().${key});`,
      ),
      "export default /* @__PURE__ */ lazily(load);",
    ].join("\n");
  },
};

/**
 * Puts all chunks into one file, each as a function that runs at its first use. V8 compiles no other, and a code cache
 * has no other. The first line is a hash of the file, to find its cache.
 *
 * @param {string} fileName
 * @returns {import("tsdown").Rolldown.Plugin}
 */
export const oneFile = (fileName) => ({
  name: "throughline:one-file",
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((one) => one.type === "chunk");
    const entry = chunks.find(({ isEntry }) => isEntry)?.fileName;
    const code = [
      "const loaded = new Map();",
      "const load = (name) => {",
      "  if (!Object.hasOwn(chunks, name)) return require(name);",
      "  let module = loaded.get(name);",
      "  if (module === undefined) loaded.set(name, (module = { exports: {} })), chunks[name](load, module, module.exports);",
      "  return module.exports;",
      "};",
      "let url;",
      // A search by hand takes a tenth of the time of Node's.
      'const places = () => require.resolve.paths("throughline").map((folder) => folder + "/throughline/dist/index.js");',
      'const place = () => places().find(require("node:fs").existsSync) ?? require.resolve("throughline");',
      'load.libraryUrl = () => (url ??= require("node:url").pathToFileURL(place()).href);',
      "const chunks = {",
      ...chunks.map((one) => `${JSON.stringify(`./${one.fileName}`)}(require, module, exports) {\n${one.code}\n},`),
      "};",
      `module.exports = load(${JSON.stringify(`./${entry}`)});`,
    ].join("\n");
    for (const one of chunks) delete bundle[one.fileName];
    const hash = createHash("sha256").update(code).digest("hex").slice(0, 16);
    this.emitFile({ type: "asset", fileName, source: `//${hash}\n${code}\n` });
  },
});
