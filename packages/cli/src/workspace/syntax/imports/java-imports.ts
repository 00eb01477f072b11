import path from "node:path";
import { childOfType, codeChildren, type SyntaxNode } from "throughline/internal";
import type { FileIndex } from "../project-files.ts";
import type { ImportContext } from "./import-lookup.ts";

/** Classes of the project that a file of Java imports. */
export function javaImports({ path: file, root, files }: ImportContext): readonly string[] {
  const home = sourceRoot(file, root);
  return codeChildren(root)
    .filter(({ type }) => type === "import_declaration")
    .flatMap((node) => {
      const steps = childOfType(node, "scoped_identifier", "identifier")?.text.split(".") ?? [];
      return childOfType(node, "asterisk") === undefined
        ? findClass(files, steps, home)
        : // A class, whose members are meant, or a package.
          ([findClass(files, steps, home), packageFiles(files, steps)].find((found) => found.length > 0) ?? []);
    });
}

/** A class, or the one that something imported is a member of. */
function findClass(files: FileIndex, steps: readonly string[], home: string | undefined): readonly string[] {
  for (let length = steps.length; length > 0; length -= 1) {
    const way = `${steps.slice(0, length).join("/")}.java`;
    const found = files.named(path.posix.basename(way)).filter((file) => `/${file}`.endsWith(`/${way}`));
    // Of several modules that have it, the file's own.
    const own = found.find((file) => home !== undefined && file === path.posix.join(home, way));
    if (found.length > 0) return [own ?? found[0] ?? ""];
  }
  return [];
}

function packageFiles(files: FileIndex, steps: readonly string[]): readonly string[] {
  const way = `/${steps.join("/")}`;
  return files.paths.filter((file) => file.endsWith(".java") && `/${path.posix.dirname(file)}`.endsWith(way));
}

/** The folder in which the packages stand, as the file's own tells. */
function sourceRoot(file: string, root: SyntaxNode): string | undefined {
  const declared = childOfType(root, "package_declaration");
  const way = childOfType(declared, "scoped_identifier", "identifier")?.text.replaceAll(".", "/") ?? "";
  const folder = `/${path.posix.dirname(file)}`;
  return folder.endsWith(`/${way}`) ? folder.slice(1, folder.length - way.length) : undefined;
}
