import type { SyntaxNode } from "throughline/internal/engine";
import type { FileIndex } from "../project-files.ts";

/** A file whose imports are resolved. */
export interface ImportLookup {
  /** Relative to the project root, with `/`. */
  readonly path: string;
  readonly root: SyntaxNode;
  readonly files: FileIndex;
  /** Reads another file of the project. */
  readonly read: (path: string) => Promise<string | undefined>;
}

/** The first candidate that exists in the project. */
export function firstKnown(files: FileIndex, candidates: readonly string[]): string | undefined {
  return candidates.find((candidate) => files.has(candidate));
}

/** A folder and its parents, nearest first; the root is ".". */
export function foldersAbove(folder: string): readonly string[] {
  const steps = folder === "." ? [] : folder.split("/");
  return [...steps.map((_, i) => steps.slice(0, steps.length - i).join("/")), "."];
}
