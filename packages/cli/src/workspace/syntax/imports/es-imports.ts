import path from "node:path";
import { descendants, part, type SyntaxNode, stringValue } from "throughline/internal";
import type { FileIndex } from "../project-files.ts";
import { firstKnown, type ImportContext } from "./import-lookup.ts";
import { readAliases } from "./tsconfig-aliases.ts";

/** What stands for what: who imports the compiled file means the source. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx", ".d.ts", ".js", ".jsx"],
  ".jsx": [".tsx", ".jsx"],
  ".mjs": [".mts", ".d.mts", ".mjs"],
  ".cjs": [".cts", ".d.cts", ".cjs"],
};
const LEFT_OUT = [".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs", ".json"];

/** Files that a file of TypeScript or JavaScript imports, exports from, or requires. */
export async function esImports({ path: file, root, files, read }: ImportContext): Promise<readonly string[]> {
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

/** Where a module may stand, in the order in which it is looked for. */
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
