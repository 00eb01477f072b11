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

/** A parsed source file. */
export interface SourceFile {
  /** Path from the project root, with `/`. */
  readonly path: string;
  /** `typescript`, `tsx`, `javascript`, `python`, `go`, `rust`, `java`. */
  readonly language: string;
  readonly root: SyntaxNode;
}

/**
 * Read-only access to a project: its history and its source files. Open one with `openWorkspace(path)` of
 * `@throughline/cli/workspace`.
 */
export interface Workspace {
  /**
   * Yields commits from oldest to newest.
   *
   * @param options `since`: only commits after this id, if it is still part of the history. `limit`: maximum number.
   *   `signal`: aborts the reading.
   */
  history(options?: {
    readonly since?: string;
    readonly limit?: number;
    readonly signal?: AbortSignal;
  }): AsyncIterable<Commit>;
  /** Returns the current branch; `undefined` if there is none. */
  branch(): Promise<string | undefined>;
  /**
   * Yields the paths of parsable source files, without ignored ones.
   *
   * @param options `signal`: aborts the reading.
   */
  sources(options?: { readonly signal?: AbortSignal }): AsyncIterable<string>;
  /**
   * Returns the syntax tree of a file; `undefined` if it does not exist, is too large, or is in an unknown language.
   *
   * @param path Path from the project root, with `/`.
   */
  parse(path: string): Promise<SourceFile | undefined>;
  /**
   * Returns the project files that a file imports, without packages.
   *
   * @param path Path from the project root, with `/`.
   */
  importsOf(path: string): Promise<readonly string[]>;
  /**
   * Returns a short hash of a file's content, to detect changes; `undefined` if the file does not exist.
   *
   * @param path Path from the project root, with `/`.
   */
  digest(path: string): Promise<string | undefined>;
}

/** Signals about the current work. */
export interface ContextSignals {
  /** Path relative to the project root. */
  readonly currentFile?: string;
  /** Recently used files, newest last. Default: the files of the session's own signals. */
  readonly recentFiles?: readonly string[];
  readonly recentErrors?: readonly string[];
  /** `default`, `new-feature`, `debugging`, or a custom activity of the caller. */
  readonly activity?: string;
  readonly branch?: string;
  /** Milliseconds since 1970. Default: now. */
  readonly at?: number;
  /** Name of another person who works on the same task. */
  readonly collaborator?: string;
  /** Session whose history and signals apply. */
  readonly sessionId?: string;
}
