/** A commit of the project's version control. */
export interface Commit {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly author: string;
  /** First line of the commit message, and the rest. */
  readonly subject: string;
  readonly body: string;
  /** Changed files as paths from the project root with `/`, by their new names. */
  readonly files: readonly string[];
  /** Renamed files. */
  readonly renames: readonly { readonly from: string; readonly to: string }[];
  /** Deleted files; not included in `files`. */
  readonly removed?: readonly string[];
}

/** A node of a syntax tree. */
export interface SyntaxNode {
  /** Node type of the grammar: `call_expression`. */
  readonly type: string;
  /** True for named nodes of the grammar; false for brackets and keywords. */
  readonly isNamed: boolean;
  /** Role in its parent: `name`, `arguments`. */
  readonly field?: string;
  readonly text: string;
  /** Line number from 1. */
  readonly line: number;
  readonly children: readonly SyntaxNode[];
}

export interface SourceFile {
  /** Path from the project root, with `/`. */
  readonly path: string;
  /** `typescript`, `tsx`, `javascript`, `python`, `go`, `rust`, `java`. */
  readonly language: string;
  readonly root: SyntaxNode;
}

/** Read-only access to a project. */
export interface Workspace {
  /** Commits from oldest to newest, only those after `since` if it is still part of the history. */
  history(options?: {
    readonly since?: string;
    readonly limit?: number;
    readonly signal?: AbortSignal;
  }): AsyncIterable<Commit>;
  /** Current branch; `undefined` if there is none. */
  branch(): Promise<string | undefined>;
  /** Paths of parsable source files, without ignored ones. */
  sources(options?: { readonly signal?: AbortSignal }): AsyncIterable<string>;
  /** Syntax tree of a file; `undefined` if the file does not exist, is too large, or is in an unknown language. */
  parse(path: string): Promise<SourceFile | undefined>;
  /** Project files that a file imports; packages are excluded. */
  importsOf(path: string): Promise<readonly string[]>;
  /** Short hash of a file's content, to detect changes; `undefined` if the file does not exist. */
  digest(path: string): Promise<string | undefined>;
}
