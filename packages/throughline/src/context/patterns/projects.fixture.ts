import { languageOf, parseSource } from "../../../../cli/src/workspace/parse-source.ts";
import type { SourceFile } from "../../ports/workspace.ts";
import type { CodePattern, FileFacts } from "./code-unit.ts";
import { minePatterns } from "./mine/mine-patterns.ts";
import { readFacts } from "./read/read-facts.ts";

/** The files of a project: path to text. */
export type ProjectText = Readonly<Record<string, string>>;

export async function parseFile(path: string, text: string): Promise<SourceFile> {
  const language = languageOf(path);
  const root = language === undefined ? undefined : await parseSource(text, language);
  if (language === undefined || root === undefined) throw new Error(`${path} cannot be parsed`);
  return { path, language, root };
}

/** Facts about a project's files. */
export async function factsOf(project: ProjectText): Promise<ReadonlyMap<string, FileFacts>> {
  const files = await Promise.all(Object.entries(project).map(([path, text]) => parseFile(path, text)));
  return new Map(files.map((file) => [file.path, readFacts(file)]));
}

/** Patterns of a project, the most characteristic first. */
export async function patternsOf(project: ProjectText): Promise<readonly CodePattern[]> {
  return minePatterns(await factsOf(project));
}

/** One file per name, from a path and text with the placeholders `NAME` and `Name`. */
export function forEach(names: readonly string[], path: string, text: string): ProjectText {
  const filled = (name: string, from: string) =>
    from.replaceAll("NAME", name).replaceAll("Name", name.slice(0, 1).toUpperCase() + name.slice(1));
  return Object.fromEntries(names.map((name) => [filled(name, path), filled(name, text)]));
}
