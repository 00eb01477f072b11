import path from "node:path";
import { descendants, part, type SyntaxNode, stringValue } from "throughline/internal/engine";
import type { FileIndex } from "../project-files.ts";
import { firstKnown, type ImportLookup } from "./import-lookup.ts";
import { readAliases } from "./tsconfig-aliases.ts";

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
