import type { SyntaxNode } from "../../../ports/workspace.ts";
import { argumentsOf, pathOf } from "../syntax/call-path.ts";
import { childOfType, codeChildren, descendants, part, parts, stringValue } from "../syntax/nodes.ts";

/** Packages that a file imports, without relative imports. Own packages of the project may be included. */
export function findPackages(root: SyntaxNode): readonly string[] {
  const names = descendants(root)
    .flatMap(importedIn)
    .filter((name) => name !== "" && !/^[./]/.test(name));
  return [...new Set(names)];
}

function importedIn(node: SyntaxNode): readonly string[] {
  switch (node.type) {
    case "import_statement":
      return [stringValue(part(node, "source")) ?? "", ...parts(node, "name").map(firstStep)];
    case "export_statement":
      return [stringValue(part(node, "source")) ?? ""];
    case "import_from_statement":
      return [firstStep(part(node, "module_name"))];
    case "import_spec":
      return [stringValue(part(node, "path")) ?? ""];
    case "use_declaration":
      return [/^[\w]+/.exec(part(node, "argument")?.text ?? "")?.[0] ?? ""];
    case "import_declaration":
      return [childOfType(node, "scoped_identifier", "identifier")?.text ?? ""];
    case "call_expression":
      return pathOf(node).join(".") === "require" ? [stringValue(argumentsOf(node)[0]) ?? ""] : [];
    default:
      return [];
  }
}

/** First part of a dotted name. "." for a relative import. */
function firstStep(name: SyntaxNode | undefined): string {
  const dotted = name?.type === "aliased_import" ? part(name, "name") : name;
  return dotted?.type === "relative_import" ? "." : (codeChildren(dotted)[0]?.text ?? "");
}
