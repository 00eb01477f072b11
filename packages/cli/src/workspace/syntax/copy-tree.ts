import type { TreeCursor } from "@vscode/tree-sitter-wasm";
import type { SyntaxNode } from "throughline/internal";

/** Code that is nested deeper was written by a program; whoever walks the tree needs a stack that holds it. */
const DEEPEST = 1_000;

/** A node that outlives the tree that it was copied from. Its text is cut from the source when it is asked for. */
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

/** A copy of everything below a cursor that stands at the root. */
export function copyTree(cursor: TreeCursor, source: string): SyntaxNode {
  const root = new CopiedNode(cursor, source);
  const open = [root];
  const add = (): void => {
    const child = new CopiedNode(cursor, source);
    open.at(-1)?.children.push(child);
    open.push(child);
  };
  for (;;) {
    if (open.length < DEEPEST && cursor.gotoFirstChild()) {
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
