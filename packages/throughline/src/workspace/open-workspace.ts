import { statSync } from "node:fs";
import path from "node:path";
import { InvalidOptionError } from "../errors/invalid-option-error.ts";
import type { SourceFile, Workspace } from "../ports/workspace.ts";
import { findImports } from "./syntax/imports/find-imports.ts";
import { languageOf } from "./syntax/languages.ts";
import { parseSource } from "./syntax/parse-source.ts";
import { ProjectFiles } from "./syntax/project-files.ts";
import { digestFile, isInside, readSource } from "./syntax/read-source.ts";

/**
 * The project in a folder, read and never written. Nothing out of the folder is read, also not through links.
 *
 * @example
 * const workspace = openWorkspace("/home/ada/shop");
 * await workspace.importsOf("src/cart.ts"); // ["src/price.ts"]
 *
 * @throws InvalidOptionError where it is no folder.
 */
export function openWorkspace(folder: string): Workspace {
  const root = path.resolve(folder);
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) {
    throw new InvalidOptionError("root", folder, "the folder of a project");
  }
  const files = new ProjectFiles(root);
  const parse = async (file: string): Promise<SourceFile | undefined> => {
    const language = languageOf(file);
    const text = language === undefined ? undefined : await readSource(root, file);
    if (language === undefined || text === undefined) return undefined;
    const tree = await parseSource(text, language);
    return tree && { path: file, language, root: tree };
  };
  return {
    async *history() {},
    branch: async () => undefined,
    async *sources({ signal } = {}) {
      const { paths } = await files.list(signal);
      for (const file of paths) {
        signal?.throwIfAborted();
        // Git lists links too, and what was deleted and not committed.
        if (languageOf(file) !== undefined && (await isInside(root, file))) yield file;
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
        read: (one: string) => readSource(root, one),
      };
      const found = await findImports(source.language, context);
      const isThere = await Promise.all(found.map((one) => isInside(root, one)));
      return found.filter((_, i) => isThere[i]);
    },
    digest: (file) => digestFile(root, file),
  };
}
