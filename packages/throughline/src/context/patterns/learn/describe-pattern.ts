import { findSecrets } from "../../../internal/find-secrets.ts";
import type { SyntaxNode, Workspace } from "../../../ports/workspace.ts";
import type { CodePattern, CodePlace } from "../pattern.ts";
import { descendants } from "../syntax/nodes.ts";

const MAX_LINES = 24;
const MAX_CHARACTERS = 1_600;

/** Full text of a pattern: title, parts, an example, and places of further ones. */
export async function describePattern(pattern: CodePattern, workspace: Pick<Workspace, "parse">): Promise<string> {
  const { title, trigger, template, examples, support } = pattern;
  const places = examples.map(({ path, line }) => `${path}:${line}`);
  let code: string | undefined;
  for (const place of examples) code ??= await readExample(place, workspace);
  return [
    `${title} (${trigger}): how this project writes it, in ${support.files} of ${support.of} ${support.of === 1 ? "file" : "files"}.`,
    ...Object.entries(template).map(([part, value]) => `${part}: ${value}`),
    `Examples: ${places.join(", ")}`,
    ...(code === undefined ? [] : ["", code]),
  ].join("\n");
}

/** Code at a place, shortened if it is long. Undefined if it is gone or contains a secret. */
async function readExample(place: CodePlace, workspace: Pick<Workspace, "parse">): Promise<string | undefined> {
  const source = await workspace.parse(place.path);
  const node = source && outermostAt(source.root, place.line);
  if (node === undefined) return undefined;
  const lines = node.text.split("\n");
  const cut = lines.slice(0, MAX_LINES).join("\n").slice(0, MAX_CHARACTERS);
  const code = cut.length < node.text.length ? `${cut}\n…` : cut;
  return findSecrets(code).length > 0 ? undefined : code;
}

/** Outermost node that starts at a line, with its decorators. */
function outermostAt(root: SyntaxNode, line: number): SyntaxNode | undefined {
  const nodes = [...descendants(root)];
  const found = nodes.find((node) => node !== root && node.isNamed && node.line === line && node.children.length > 0);
  const marked = nodes.find(
    ({ type, children }) => type === "decorated_definition" && children.some((one) => one === found),
  );
  return marked ?? found;
}
