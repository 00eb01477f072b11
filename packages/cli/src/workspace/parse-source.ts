import { createRequire } from "node:module";
import path from "node:path";
import type * as TreeSitter from "@vscode/tree-sitter-wasm";
import type { TreeCursor } from "@vscode/tree-sitter-wasm";
import type { SyntaxNode } from "throughline/internal/engine";

/** Timeout in milliseconds: a grammar can take very long on a text in another language. */
const TIMEOUT_MS = 5_000;

/**
 * Parses a text. Invalid parts become `ERROR` nodes; the result is `undefined` after a timeout. The tree is a copy, and
 * the parser's own memory is freed.
 */
export async function parseSource(text: string, language: Language): Promise<SyntaxNode | undefined> {
  const parser = await loadParser(language);
  const end = Date.now() + TIMEOUT_MS;
  const tree = parser.parse(text, null, { progressCallback: () => Date.now() > end });
  if (tree === null) {
    parser.reset();
    return undefined;
  }
  const cursor = tree.walk();
  try {
    return copyTree(cursor, text);
  } finally {
    cursor.delete();
    tree.delete();
  }
}

const PACKAGE = "@vscode/tree-sitter-wasm";
const require = createRequire(import.meta.url);

let library: Promise<typeof TreeSitter> | undefined;
const parsers = new Map<Language, Promise<TreeSitter.Parser>>();

/** The parser of a language. Its grammar is loaded on first use and cached; a failed load is tried again. */
function loadParser(language: Language): Promise<TreeSitter.Parser> {
  const known = parsers.get(language);
  if (known !== undefined) return known;
  const loading = load(language);
  parsers.set(language, loading);
  loading.catch(() => parsers.delete(language));
  return loading;
}

async function load(name: Language): Promise<TreeSitter.Parser> {
  library ??= start().catch((error: unknown) => {
    library = undefined;
    throw error;
  });
  const { Language, Parser } = await library;
  const language = await Language.load(path.join(folder(), `tree-sitter-${name}.wasm`));
  return new Parser().setLanguage(language);
}

async function start(): Promise<typeof TreeSitter> {
  // A CommonJS module: only `require` gives its named exports.
  const treeSitter: typeof TreeSitter = require(PACKAGE);
  await treeSitter.Parser.init({ locateFile: (file) => path.join(folder(), file) });
  return treeSitter;
}

function folder(): string {
  return path.dirname(require.resolve(PACKAGE));
}

/** Maximum depth: deeper code is generated, and walking it would overflow the stack. */
const MAX_DEPTH = 1_000;

/** A node that outlives its original tree. Its text is cut from the source on access. */
class CopiedNode implements SyntaxNode {
  readonly type: string;
  readonly isNamed: boolean;
  declare readonly field?: string;
  readonly line: number;
  readonly children: CopiedNode[] = [];
  readonly #source: string;
  readonly #start: number;
  readonly #end: number;

  constructor(cursor: TreeCursor, source: string) {
    this.type = cursor.nodeType;
    this.isNamed = cursor.nodeIsNamed;
    const field = cursor.currentFieldName;
    if (field !== null) this.field = field;
    this.line = cursor.startPosition.row + 1;
    this.#source = source;
    this.#start = cursor.startIndex;
    this.#end = cursor.endIndex;
  }

  get text(): string {
    return this.#source.slice(this.#start, this.#end);
  }
}

/** Copies everything below a cursor at the root. */
function copyTree(cursor: TreeCursor, source: string): SyntaxNode {
  const root = new CopiedNode(cursor, source);
  const open = [root];
  const add = (): void => {
    const child = new CopiedNode(cursor, source);
    open.at(-1)?.children.push(child);
    open.push(child);
  };
  for (;;) {
    if (open.length < MAX_DEPTH && cursor.gotoFirstChild()) {
      add();
      continue;
    }
    open.pop();
    while (open.length > 0 && !cursor.gotoNextSibling()) {
      cursor.gotoParent();
      open.pop();
    }
    if (open.length === 0) return root;
    add();
  }
}

const EXTENSIONS = {
  typescript: [".ts", ".mts", ".cts"],
  tsx: [".tsx"],
  // Its grammar also parses JSX.
  javascript: [".js", ".mjs", ".cjs", ".jsx"],
  python: [".py"],
  go: [".go"],
  rust: [".rs"],
  java: [".java"],
} as const;

/** A language that can be parsed. Its grammar has the same name. */
type Language = keyof typeof EXTENSIONS;

const BY_EXTENSION: ReadonlyMap<string, Language> = new Map(
  Object.entries(EXTENSIONS).flatMap(([name, extensions]) =>
    extensions.map((extension) => [extension, name as Language] as const),
  ),
);

/** The language of a file by its extension; `undefined` if unknown. */
export function languageOf(file: string): Language | undefined {
  return BY_EXTENSION.get(path.extname(file).toLowerCase());
}
