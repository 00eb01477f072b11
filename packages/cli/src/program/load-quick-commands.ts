import type * as quickCommands from "../quick-commands.ts";
import { readOwnFile, writeWhole } from "./own-files.ts";

type QuickCommands = typeof quickCommands;

/** A loaded file of commands. */
interface Loaded extends QuickCommands {
  /** Stores the code that V8 has compiled until now, if nothing is stored yet. */
  readonly storeCode: () => void;
}

/**
 * Loads the file of commands that are started often, with the code that V8 compiled in an earlier run. Node's own cache
 * has only the code that runs while a file loads, so the functions that do the work would be compiled again every time.
 *
 * @param file Path of the file. Its first line is a hash of its content.
 * @param command The command that will run. Each has its own cache, because each needs other functions.
 */
export function loadQuickCommands(file: string, command: string): Loaded {
  // Modules of Node are loaded without an import, which would evaluate all of their exports.
  const fs = process.getBuiltinModule("node:fs");
  const vm = process.getBuiltinModule("node:vm");
  const { createRequire, enableCompileCache, getCompileCacheDir } = process.getBuiltinModule("node:module");
  const source = fs.readFileSync(file, "utf8");
  enableCompileCache();
  const folder = getCompileCacheDir();
  const kept = folder && `${folder}/throughline-${source.slice(2, source.indexOf("\n"))}`;
  const cache = kept && `${kept}-${command}`;
  const cachedData = cache === undefined ? undefined : readOwnFile(fs, cache);
  const script = new vm.Script(`(function (exports, require, module, __filename) {${source}})`, {
    filename: file,
    ...(cachedData !== undefined && { cachedData }),
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const module = { exports: {} as QuickCommands };
  script.runInThisContext()(module.exports, createRequire(file), module, file);
  if (kept !== undefined) module.exports.keepVocabularies(kept);
  const storeCode = () => {
    if (cache !== undefined && (cachedData === undefined || script.cachedDataRejected))
      writeWhole(fs, cache, script.createCachedData());
  };
  return { ...module.exports, storeCode };
}
