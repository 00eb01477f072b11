import type { SyntaxNode } from "throughline/internal";
import { copyTree } from "./copy-tree.ts";
import type { Language } from "./languages.ts";
import { loadParser } from "./load-parser.ts";

/** Milliseconds after which a text is given up: a grammar may take forever over one that is not its language. */
const PATIENCE = 5_000;

/**
 * The syntax tree of a text, as far as it is one: what is broken stands in it as `ERROR`. Nothing where it took too long.
 * The tree is a copy: what the parser held of it is freed.
 */
export async function parseSource(text: string, language: Language): Promise<SyntaxNode | undefined> {
  const parser = await loadParser(language);
  const end = Date.now() + PATIENCE;
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
