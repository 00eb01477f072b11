import path from "node:path";
import { codeChildren, descendants, part, parts, type SyntaxNode } from "throughline/internal/engine";
import type { FileIndex } from "../project-files.ts";
import { firstKnown, foldersAbove, type ImportLookup } from "./import-lookup.ts";

/** Project modules that a Python file imports. */
export function pythonImports({ path: file, root, files }: ImportLookup): readonly string[] {
  const folder = path.posix.dirname(file);
  const roots = searchRoots(folder, files);
  return descendants(root).flatMap((node) => {
    if (node.type === "import_statement") {
      return parts(node, "name").flatMap((name) => find(files, roots, steps(name)) ?? []);
    }
    return node.type === "import_from_statement" ? fromImport(node, { folder, roots, files }) : [];
  });
}

interface Search {
  readonly folder: string;
  readonly roots: readonly string[];
  readonly files: FileIndex;
}

/** `from a import b`: the module b in a, or else a itself, which defines b. */
function fromImport(node: SyntaxNode, { folder, roots, files }: Search): readonly string[] {
  const module = part(node, "module_name");
  const dots = module?.children.find(({ type }) => type === "import_prefix")?.text.length ?? 0;
  const from = dots === 0 ? roots : [path.posix.join(folder, ...Array.from({ length: dots - 1 }, () => ".."))];
  const base = dots === 0 ? steps(module) : steps(codeChildren(module).find(({ type }) => type === "dotted_name"));
  const own = find(files, from, base);
  const names = parts(node, "name");
  const found = names.map((name) => find(files, from, [...base, ...steps(name)]) ?? own);
  return (names.length === 0 ? [own] : found).flatMap((one) => one ?? []);
}

/** `a.b`, also with an alias. */
function steps(name: SyntaxNode | undefined): readonly string[] {
  const dotted = name?.type === "aliased_import" ? part(name, "name") : name;
  return dotted === undefined ? [] : codeChildren(dotted).map(({ text }) => text);
}

function find(files: FileIndex, roots: readonly string[], name: readonly string[]): string | undefined {
  const candidates = roots.flatMap((root) => {
    const place = path.posix.join(root, ...name);
    return [path.posix.join(place, "__init__.py"), ...(name.length > 0 ? [`${place}.py`] : [])];
  });
  return firstKnown(files, candidates);
}

/** Lookup folders: parents of the file that are not packages themselves, and `src`. */
function searchRoots(folder: string, files: FileIndex): readonly string[] {
  const above = foldersAbove(folder).filter((one) => !files.has(path.posix.join(one, "__init__.py")));
  return [...new Set([...above, "src"])];
}
