import path from "node:path";
import { descendants, part, type SyntaxNode, stringValue } from "throughline/internal/engine";
import { arrayField, isRecord, type JsonRecord, recordField, stringField } from "throughline/internal/util";
import { readJsonc } from "../init/jsonc.ts";
import { type FileIndex, firstKnown, foldersAbove, type ImportLookup } from "./project-files.ts";

/** Source extensions for compiled ones: an import of the compiled file means the source. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx", ".d.ts", ".js", ".jsx"],
  ".jsx": [".tsx", ".jsx"],
  ".mjs": [".mts", ".d.mts", ".mjs"],
  ".cjs": [".cts", ".d.cts", ".cjs"],
};
const LEFT_OUT = [".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs", ".json"];

/** Files that a TypeScript or JavaScript file imports, re-exports or requires. */
export async function esImports({ path: file, root, files, read }: ImportLookup): Promise<readonly string[]> {
  const specifiers = [...new Set(findSpecifiers(root))];
  const bare = specifiers.some((specifier) => !isRelative(specifier));
  const aliases = bare ? await readAliases(file, files, read) : undefined;
  const folder = path.posix.dirname(file);
  return specifiers.flatMap((specifier) => {
    const places = isRelative(specifier) ? [path.posix.join(folder, specifier)] : (aliases?.placesOf(specifier) ?? []);
    return (
      firstKnown(
        files,
        places.flatMap((place) => candidates(place, files)),
      ) ?? []
    );
  });
}

function isRelative(specifier: string): boolean {
  return /^\.\.?(?:\/|$)/.test(specifier);
}

function findSpecifiers(root: SyntaxNode): string[] {
  return descendants(root).flatMap((node) => specifierOf(node) ?? []);
}

function specifierOf(node: SyntaxNode): string | undefined {
  if (["import_statement", "export_statement", "import_require_clause"].includes(node.type)) {
    return stringValue(part(node, "source"));
  }
  if (node.type !== "call_expression") return undefined;
  const callee = part(node, "function");
  if (callee?.type !== "import" && callee?.text !== "require") return undefined;
  return stringValue(part(node, "arguments")?.children.find((argument) => argument.isNamed));
}

/** Possible files of a module, in lookup order. */
function candidates(place: string, files: FileIndex): readonly string[] {
  const bare = place.replace(/\?.*$/, "");
  const extension = path.posix.extname(bare);
  const stem = bare.slice(0, bare.length - extension.length);
  const sources = (SOURCES[extension] ?? []).map((source) => stem + source);
  const exact = files.has(bare) ? [bare] : [];
  return [
    ...sources,
    ...exact,
    ...LEFT_OUT.map((source) => bare + source),
    ...LEFT_OUT.map((source) => path.posix.join(bare, `index${source}`)),
  ];
}

type Read = ImportLookup["read"];

/** Import aliases from a tsconfig. */
interface Aliases {
  /** Possible files of a module, best first; empty if it is a package. */
  placesOf(specifier: string): readonly string[];
}

interface Alias {
  /** With a star for the rest, or without one for a single module. */
  readonly name: string;
  readonly targets: readonly string[];
}

interface Settings {
  readonly baseUrl?: string;
  readonly aliases?: readonly Alias[];
}

const NAMES = ["tsconfig.json", "jsconfig.json"];
/** Maximum length of an `extends` chain. */
const MAX_CHAIN = 8;

/** The aliases for a file: from the nearest tsconfig, or from one that it references. */
async function readAliases(file: string, files: FileIndex, read: Read): Promise<Aliases | undefined> {
  const above = foldersAbove(path.posix.dirname(file));
  const nearest = firstKnown(
    files,
    above.flatMap((folder) => NAMES.map((name) => path.posix.join(folder, name))),
  );
  if (nearest === undefined) return undefined;
  const config = await readConfig(nearest, read);
  const referred = (arrayField(config, "references") ?? []).flatMap((reference) => {
    const to = isRecord(reference) ? stringField(reference, "path") : undefined;
    const place = to === undefined ? undefined : path.posix.join(path.posix.dirname(nearest), to);
    return place === undefined ? [] : (firstKnown(files, [place, path.posix.join(place, "tsconfig.json")]) ?? []);
  });
  const all = await Promise.all(
    [nearest, ...referred].map((one) => readSettings(one, { files, read, left: MAX_CHAIN })),
  );
  return { placesOf: (specifier) => all.flatMap((settings) => places(settings, specifier)) };
}

function places({ aliases = [], baseUrl }: Settings, specifier: string): readonly string[] {
  const fitting = aliases
    .map((alias) => ({ alias, rest: restOf(alias.name, specifier) }))
    .filter(({ rest }) => rest !== undefined)
    // The compiler prefers the most specific one.
    .sort((a, b) => b.alias.name.length - a.alias.name.length);
  const aliased = fitting
    .slice(0, 1)
    .flatMap(({ alias, rest = "" }) => alias.targets.map((target) => target.replace("*", () => rest)));
  return [...aliased, ...(baseUrl === undefined ? [] : [path.posix.join(baseUrl, specifier)])];
}

/** The text that the star matches in a specifier; `undefined` if it does not match. */
function restOf(name: string, specifier: string): string | undefined {
  const [before = "", after] = name.split("*");
  if (after === undefined) return specifier === name ? "" : undefined;
  const isLong = specifier.length >= before.length + after.length;
  const fits = isLong && specifier.startsWith(before) && specifier.endsWith(after);
  return fits ? specifier.slice(before.length, specifier.length - after.length) : undefined;
}

interface Chain {
  readonly files: FileIndex;
  readonly read: Read;
  readonly left: number;
}

/** The settings of a tsconfig, or else those that it extends. */
async function readSettings(file: string, { files, read, left }: Chain): Promise<Settings> {
  const config = await readConfig(file, read);
  const own = ownSettings(file, config);
  const given = config.extends;
  const bases = (Array.isArray(given) ? given : [given]).flatMap((base: unknown) => {
    // Configurations from packages have no paths of this project.
    if (typeof base !== "string" || !base.startsWith(".")) return [];
    const place = path.posix.join(path.posix.dirname(file), base);
    return firstKnown(files, [place, `${place}.json`, path.posix.join(place, "tsconfig.json")]) ?? [];
  });
  if (left === 0) return own;
  const inherited = await Promise.all(bases.map((base) => readSettings(base, { files, read, left: left - 1 })));
  return Object.assign({}, ...inherited, own);
}

function ownSettings(file: string, config: JsonRecord): Settings {
  const options = recordField(config, "compilerOptions") ?? {};
  const folder = path.posix.dirname(file);
  const baseUrl = stringField(options, "baseUrl");
  const base = baseUrl === undefined ? folder : path.posix.join(folder, baseUrl);
  const paths = recordField(options, "paths");
  return {
    ...(baseUrl !== undefined && { baseUrl: base }),
    ...(paths !== undefined && { aliases: Object.entries(paths).map(([name, to]) => readAlias(name, to, base)) }),
  };
}

function readAlias(name: string, to: unknown, base: string): Alias {
  const targets = (Array.isArray(to) ? to : []).filter((target) => typeof target === "string");
  return { name, targets: targets.map((target) => path.posix.join(base, target)) };
}

async function readConfig(file: string, read: Read): Promise<JsonRecord> {
  const value = readJsonc((await read(file)) ?? "");
  return isRecord(value) ? value : {};
}
