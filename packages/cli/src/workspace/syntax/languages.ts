import path from "node:path";

const EXTENSIONS = {
  typescript: [".ts", ".mts", ".cts"],
  tsx: [".tsx"],
  // Its grammar also parses JSX.
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

/** The language of a file by its extension; `undefined` if unknown. */
export function languageOf(file: string): Language | undefined {
  return BY_EXTENSION.get(path.extname(file).toLowerCase());
}
