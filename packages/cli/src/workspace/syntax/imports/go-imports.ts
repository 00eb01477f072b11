import path from "node:path";
import { descendants, part, stringValue } from "throughline/internal/engine";
import type { ImportLookup } from "./import-lookup.ts";

/** Files of the project packages that a Go file imports, without tests. */
export async function goImports({ root, files, read }: ImportLookup): Promise<readonly string[]> {
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
