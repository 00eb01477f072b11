import type { SyntaxNode } from "../../../ports/workspace.ts";

/** Longer headers show details of one unit. */
const MAX_LENGTH = 140;

/**
 * Text of a definition before its body, with placeholders for its name: `def {name}(request: HttpRequest) -> Response`.
 * Undefined if it is long.
 */
export function headerOf(node: SyntaxNode, body: SyntaxNode | undefined, name: string): string | undefined {
  const whole = node.text;
  const isEnd = body !== undefined && body !== node && whole.endsWith(body.text);
  const line = whole.indexOf("\n");
  const head = isEnd ? whole.slice(0, -body.text.length) : line === -1 ? whole : whole.slice(0, line);
  if (head.length > 2 * MAX_LENGTH || name === "") return undefined;
  const plain = head
    .replace(/\s+/g, " ")
    .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '"…"')
    .replace(/([([]) | ?,? ([)\]])/g, "$1$2")
    .trim()
    .replace(/\s*(?:\{|:|=>|=|\()$/, "");
  const declared = `${KEYWORDS.get(node.type) ?? ""}${plain.replace(/\(\{[^{}]*\}/, "({ … }")}`;
  return declared.length > MAX_LENGTH || plain === "" ? undefined : withPlaceholder(declared, name);
}

/** Keywords that precede a declaration's own node. */
const KEYWORDS: ReadonlyMap<string, string> = new Map([
  ["variable_declarator", "const "],
  ["var_spec", "var "],
]);

/** Replaces a name, also at the start of other names: `showProps` and `ShowProps`. */
function withPlaceholder(text: string, name: string): string {
  const [first, rest] = [name.slice(0, 1), name.slice(1)];
  return text.replace(/[\p{L}_$][\p{L}\p{N}_$]*/gu, (word) => {
    const isName = word === name || (name.length > 2 && word.slice(1).startsWith(rest));
    const isSame = isName && word.slice(0, 1).toLowerCase() === first.toLowerCase();
    if (!isSame) return word;
    return (/^\p{Lu}/u.test(word) ? "{Name}" : "{name}") + word.slice(name.length);
  });
}
