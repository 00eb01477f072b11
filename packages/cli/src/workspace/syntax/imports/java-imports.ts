import path from "node:path";
import { childOfType, codeChildren, type SyntaxNode } from "throughline/internal/engine";
import type { FileIndex } from "../project-files.ts";
import type { ImportLookup } from "./import-lookup.ts";

/** Project classes that a Java file imports. */
export function javaImports({ path: file, root, files }: ImportLookup): readonly string[] {
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
