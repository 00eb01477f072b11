/**
 * A project on disk: its git history and parsed sources, for predictions.
 *
 * @module
 * @example
 * const tl = await createThroughline({ projectId: "shop", workspace: openWorkspace("/path/to/project") });
 */
import { statSync } from "node:fs";
import path from "node:path";
import { InvalidOptionError } from "throughline";
import type { SourceFile, Workspace } from "throughline/internal/engine";
import { findImports } from "./find-imports.ts";
import { gitHistory } from "./git-history.ts";
import { languageOf, parseSource } from "./parse-source.ts";
import { ProjectFiles, SourceReader } from "./project-files.ts";
import { currentBranch } from "./run-git.ts";

export type { Commit, SourceFile, SyntaxNode, Workspace } from "throughline/internal/engine";

/**
 * Opens a project folder, read-only. Nothing outside of the folder is read, not even through links.
 *
 * @param folder Root of the project, absolute or relative to the working directory.
 * @throws InvalidOptionError if there is no such folder.
 *
 * @example
 * const workspace = openWorkspace("/home/ada/shop");
 * await workspace.importsOf("src/cart.ts");
 * // ["src/price.ts"]
 */
export function openWorkspace(folder: string): Workspace {
  const root = path.resolve(folder);
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) {
    throw new InvalidOptionError("root", folder, "an existing folder");
  }
  const files = new ProjectFiles(root);
  const reader = new SourceReader(root);
  const parse = async (file: string): Promise<SourceFile | undefined> => {
    const language = languageOf(file);
    const text = language === undefined ? undefined : await reader.text(file);
    if (language === undefined || text === undefined) return undefined;
    const tree = await parseSource(text, language);
    return tree && { path: file, language, root: tree };
  };
  return {
    history: (options) => gitHistory(root, options),
    branch: () => currentBranch(root),
    async *sources({ signal } = {}) {
      const { paths } = await files.list(signal);
      for (const file of paths) {
        signal?.throwIfAborted();
        // Git also lists links, and files that were deleted without a commit.
        if (languageOf(file) !== undefined && (await reader.has(file))) yield file;
      }
    },
    parse,
    async importsOf(file) {
      const source = await parse(file);
      if (source === undefined) return [];
      const context = {
        path: file,
        root: source.root,
        files: await files.recent(),
        read: (one: string) => reader.text(one),
      };
      const found = await findImports(source.language, context);
      const isThere = await Promise.all(found.map((one) => reader.has(one)));
      return found.filter((_, i) => isThere[i]);
    },
    digest: (file) => reader.digest(file),
  };
}
