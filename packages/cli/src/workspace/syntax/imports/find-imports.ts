import { esImports } from "./es-imports.ts";
import { goImports } from "./go-imports.ts";
import type { ImportLookup } from "./import-lookup.ts";
import { javaImports } from "./java-imports.ts";
import { pythonImports } from "./python-imports.ts";
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
