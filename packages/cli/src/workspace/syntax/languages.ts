import path from "node:path";

const EXTENSIONS = {
  typescript: [".ts", ".mts", ".cts"],
  tsx: [".tsx"],
  // Its grammar reads JSX too.
  javascript: [".js", ".mjs", ".cjs", ".jsx"],
  python: [".py"],
  go: [".go"],
  rust: [".rs"],
  java: [".java"],
} as const;

/** A language that can be parsed. Its grammar has the same name. */
export type Language = keyof typeof EXTENSIONS;

const BY_EXTENSION: ReadonlyMap<string, Language> = new Map(
  Object.entries(EXTENSIONS).flatMap(([name, extensions]) =>
    extensions.map((extension) => [extension, name as Language] as const),
  ),
);

/** The language of a file by its name; nothing where it is not known. */
export function languageOf(file: string): Language | undefined {
  return BY_EXTENSION.get(path.extname(file).toLowerCase());
}
