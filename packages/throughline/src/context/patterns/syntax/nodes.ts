import type { SyntaxNode } from "../../../ports/workspace.ts";

// Access to syntax trees of any language.

/** First child in this field: `name`, `body`. */
export function part(node: SyntaxNode | undefined, field: string): SyntaxNode | undefined {
  return node?.children.find((child) => child.field === field);
}

/** All children in this field. */
export function parts(node: SyntaxNode | undefined, field: string): readonly SyntaxNode[] {
  return node?.children.filter((child) => child.field === field) ?? [];
}

/** Children that are code, without brackets, keywords and comments. */
export function codeChildren(node: SyntaxNode | undefined): readonly SyntaxNode[] {
  return node?.children.filter((child) => child.isNamed && !child.type.includes("comment")) ?? [];
}

export function childOfType(node: SyntaxNode | undefined, ...types: readonly string[]): SyntaxNode | undefined {
  return node?.children.find((child) => types.includes(child.type));
}

/** The node and its descendants in the order of the text. Children of nodes that `enter` refuses are skipped. */
export function descendants(node: SyntaxNode, enter: (node: SyntaxNode) => boolean = () => true): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const open = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    found.push(next);
    if (!enter(next)) continue;
    for (let i = next.children.length - 1; i >= 0; i -= 1) {
      const child = next.children[i];
      if (child !== undefined) open.push(child);
    }
  }
  return found;
}

/** Content of a string literal. Undefined for other nodes and for strings with interpolation. */
export function stringValue(node: SyntaxNode | undefined): string | undefined {
  if (node === undefined || !/string/.test(node.type)) return undefined;
  const content = node.children.filter((child) => child.isNamed && !/^string_(?:start|end)$/.test(child.type));
  if (content.some((child) => !/fragment|content|escape/.test(child.type))) return undefined;
  if (content.length > 0) return content.map((child) => child.text).join("");
  return /^(?:""|''|``)$/.test(node.text) ? "" : undefined;
}
