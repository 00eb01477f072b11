/** A change that somebody made to a project, as its version control has it. */
export interface Commit {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly author: string;
  /** The first line of what was said about it, and the rest. */
  readonly subject: string;
  readonly body: string;
  /** The files that it touched, as paths from the project's root with `/`, by their names after the change. */
  readonly files: readonly string[];
  /** Files that got another name. */
  readonly renames: readonly { readonly from: string; readonly to: string }[];
  /** Files that it took away; they are not among `files`. */
  readonly removed?: readonly string[];
}

/** A piece of source code: what it is, where it stands, and what it is made of. */
export interface SyntaxNode {
  /** As the grammar names it: `call_expression`. */
  readonly type: string;
  /** Named by the grammar, not a bracket or a keyword. */
  readonly isNamed: boolean;
  /** What it is to its parent: `name`, `arguments`. */
  readonly field?: string;
  readonly text: string;
  /** The first line is 1. */
  readonly line: number;
  readonly children: readonly SyntaxNode[];
}

export interface SourceFile {
  /** From the project's root, with `/`. */
  readonly path: string;
  /** `typescript`, `tsx`, `javascript`, `python`, `go`, `rust`, `java`. */
  readonly language: string;
  readonly root: SyntaxNode;
}

/** The project that is worked on, read and never written. */
export interface Workspace {
  /** Changes from the oldest to the newest, only those after `since` where that is still part of the history. */
  history(options?: {
    readonly since?: string;
    readonly limit?: number;
    readonly signal?: AbortSignal;
  }): AsyncIterable<Commit>;
  /** The branch that is checked out; nothing where there is none. */
  branch(): Promise<string | undefined>;
  /** Source files that it can parse, as paths; ignored ones left out. */
  sources(options?: { readonly signal?: AbortSignal }): AsyncIterable<string>;
  /** The parsed file; nothing where it is not there, too large, or in a language that is not known. */
  parse(path: string): Promise<SourceFile | undefined>;
  /** Files of the project that a file imports, parsed and resolved; nothing of packages from elsewhere. */
  importsOf(path: string): Promise<readonly string[]>;
  /** A short digest of a file's content: what changed is known by it. Nothing where it is not there. */
  digest(path: string): Promise<string | undefined>;
}
