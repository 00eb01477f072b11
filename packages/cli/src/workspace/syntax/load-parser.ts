import { createRequire } from "node:module";
import path from "node:path";
import type * as TreeSitter from "@vscode/tree-sitter-wasm";
import type { Language } from "./languages.ts";

const PACKAGE = "@vscode/tree-sitter-wasm";
const require = createRequire(import.meta.url);

let library: Promise<typeof TreeSitter> | undefined;
const parsers = new Map<Language, Promise<TreeSitter.Parser>>();

/** The parser of a language. Its grammar is loaded when it is first asked for, and kept. */
export function loadParser(language: Language): Promise<TreeSitter.Parser> {
  const known = parsers.get(language) ?? load(language);
  parsers.set(language, known);
  return known;
}

async function load(name: Language): Promise<TreeSitter.Parser> {
  library ??= start();
  const { Language, Parser } = await library;
  const language = await Language.load(path.join(folder(), `tree-sitter-${name}.wasm`));
  return new Parser().setLanguage(language);
}

async function start(): Promise<typeof TreeSitter> {
  // A script of the old kind: only `require` gives what it exports by name.
  const treeSitter: typeof TreeSitter = require(PACKAGE);
  await treeSitter.Parser.init({ locateFile: (file) => path.join(folder(), file) });
  return treeSitter;
}

function folder(): string {
  return path.dirname(require.resolve(PACKAGE));
}
