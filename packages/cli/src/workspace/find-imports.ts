import path from "node:path";
import {
  childOfType,
  codeChildren,
  descendants,
  part,
  parts,
  type SyntaxNode,
  stringValue,
} from "throughline/internal/engine";
import { esImports } from "./es-imports.ts";
import { type FileIndex, firstKnown, foldersAbove, type ImportLookup } from "./project-files.ts";
import { rustImports } from "./rust-imports.ts";

/** Project files that a file imports, in the order of the imports. */
export async function findImports(language: string, context: ImportLookup): Promise<readonly string[]> {
  const found = await importsIn(language, context);
  return [...new Set(found)].filter((file) => file !== context.path);
}

async function importsIn(language: string, context: ImportLookup): Promise<readonly string[]> {
  switch (language) {
    case "typescript":
    case "tsx":
    case "javascript":
      return esImports(context);
    case "python":
      return pythonImports(context);
    case "go":
      return goImports(context);
    case "rust":
      return rustImports(context);
    case "java":
      return javaImports(context);
    default:
      return [];
  }
}

/** Files of the project packages that a Go file imports, without tests. */
async function goImports({ root, files, read }: ImportLookup): Promise<readonly string[]> {
  const modules = await Promise.all(
    files.named("go.mod").map(async (file) => ({
      folder: path.posix.dirname(file),
      name: /(?<!\n[^\S\n]*\n)^\s*module\s+"?([^\s"]+)/m.exec((await read(file)) ?? "")?.[1],
    })),
  );
  const imports = descendants(root).flatMap((node) =>
    node.type === "import_spec" ? (stringValue(part(node, "path")) ?? []) : [],
  );
  return imports.flatMap((name) => {
    const holding = modules
      .filter((module) => module.name !== undefined && `${name}/`.startsWith(`${module.name}/`))
      // Modules can be nested.
      .sort((a, b) => (b.name?.length ?? 0) - (a.name?.length ?? 0))[0];
    if (holding?.name === undefined) return [];
    const folder = path.posix.join(holding.folder, name.slice(holding.name.length + 1));
    return files.inFolder(folder).filter((file) => file.endsWith(".go") && !file.endsWith("_test.go"));
  });
}

function javaImports({ path: file, root, files }: ImportLookup): readonly string[] {
  const home = sourceRoot(file, root);
  return codeChildren(root)
    .filter(({ type }) => type === "import_declaration")
    .flatMap((node) => {
      const steps = childOfType(node, "scoped_identifier", "identifier")?.text.split(".") ?? [];
      return childOfType(node, "asterisk") === undefined
        ? findClass(files, steps, home)
        : // A class whose members are imported, or a package.
          ([findClass(files, steps, home), packageFiles(files, steps)].find((found) => found.length > 0) ?? []);
    });
}

/** A class, or the class of an imported member. */
function findClass(files: FileIndex, steps: readonly string[], home: string | undefined): readonly string[] {
  for (let length = steps.length; length > 0; length -= 1) {
    const way = `${steps.slice(0, length).join("/")}.java`;
    const found = files.named(path.posix.basename(way)).filter((file) => `/${file}`.endsWith(`/${way}`));
    // If several modules have it, prefer the file's own.
    const own = found.find((file) => home !== undefined && file === path.posix.join(home, way));
    if (found.length > 0) return [own ?? found[0] ?? ""];
  }
  return [];
}

function packageFiles(files: FileIndex, steps: readonly string[]): readonly string[] {
  const way = `/${steps.join("/")}`;
  return files.paths.filter((file) => file.endsWith(".java") && `/${path.posix.dirname(file)}`.endsWith(way));
}

/** The root folder of the packages, derived from the file's own package. */
function sourceRoot(file: string, root: SyntaxNode): string | undefined {
  const declared = childOfType(root, "package_declaration");
  const way = childOfType(declared, "scoped_identifier", "identifier")?.text.replaceAll(".", "/") ?? "";
  const folder = `/${path.posix.dirname(file)}`;
  return folder.endsWith(`/${way}`) ? folder.slice(1, folder.length - way.length) : undefined;
}

function pythonImports({ path: file, root, files }: ImportLookup): readonly string[] {
  const folder = path.posix.dirname(file);
  const roots = searchRoots(folder, files);
  return descendants(root).flatMap((node) => {
    if (node.type === "import_statement") {
      return parts(node, "name").flatMap((name) => findModule(files, roots, namesIn(name)) ?? []);
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
  const base = dots === 0 ? namesIn(module) : namesIn(codeChildren(module).find(({ type }) => type === "dotted_name"));
  const own = findModule(files, from, base);
  const names = parts(node, "name");
  const found = names.map((name) => findModule(files, from, [...base, ...namesIn(name)]) ?? own);
  return (names.length === 0 ? [own] : found).flatMap((one) => one ?? []);
}

/** `a.b`, also with an alias. */
function namesIn(name: SyntaxNode | undefined): readonly string[] {
  const dotted = name?.type === "aliased_import" ? part(name, "name") : name;
  return dotted === undefined ? [] : codeChildren(dotted).map(({ text }) => text);
}

function findModule(files: FileIndex, roots: readonly string[], name: readonly string[]): string | undefined {
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
