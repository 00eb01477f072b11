import type { SyntaxNode } from "throughline/internal";
import type { FileIndex } from "../project-files.ts";

/** A file whose imports are looked up. */
export interface ImportContext {
  /** From the project's root, with `/`. */
  readonly path: string;
  readonly root: SyntaxNode;
  readonly files: FileIndex;
  /** The text of another file of the project. */
  readonly read: (path: string) => Promise<string | undefined>;
}

/** The first of these that is a file of the project. */
export function firstKnown(files: FileIndex, candidates: readonly string[]): string | undefined {
  return candidates.find((candidate) => files.has(candidate));
}

/** A folder and those that it is in, the nearest first; the root is ".". */
export function foldersAbove(folder: string): readonly string[] {
  const steps = folder === "." ? [] : folder.split("/");
  return [...steps.map((_, i) => steps.slice(0, steps.length - i).join("/")), "."];
}
