import type * as quickCommands from "../quick-commands.ts";

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
  const cachePrefix = folder && `${folder}/throughline-${source.slice(2, source.indexOf("\n"))}`;
  const cache = cachePrefix && `${cachePrefix}-${command}`;
  const cachedData = cache === undefined ? undefined : readOwnFile(fs, cache);
  const script = new vm.Script(`(function (exports, require, module, __filename) {${source}})`, {
    filename: file,
    ...(cachedData !== undefined && { cachedData }),
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const module = { exports: {} as QuickCommands };
  script.runInThisContext()(module.exports, createRequire(file), module, file);
  if (cachePrefix !== undefined) module.exports.keepVocabularies(cachePrefix);
  const storeCode = () => {
    if (cache !== undefined && (cachedData === undefined || script.cachedDataRejected))
      writeWhole(fs, cache, script.createCachedData());
  };
  return { ...module.exports, storeCode };
}

/**
 * Commands that agents and scripts start again and again. The build puts them into one file together with the library,
 * because Node takes longer to find a hundred files than to run a search.
 */
export const QUICK_COMMAND_NAMES = ["hook", "recall", "remember", "context", "memories"] as const;

type Files = typeof import("node:fs");

/** The content of a file that only this user can write: V8 does not verify cached code before running it. */
export function readOwnFile(fs: Files, file: string): Buffer | undefined {
  let opened: number | undefined;
  try {
    opened = fs.openSync(file, "r");
    const { uid, mode } = fs.fstatSync(opened);
    const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
    return isOwn ? fs.readFileSync(opened) : undefined;
  } catch {
    return undefined;
  } finally {
    if (opened !== undefined) fs.closeSync(opened);
  }
}

/** Other processes read the whole file or none. Without the right to write, the next run compiles again. */
export function writeWhole(fs: Files, file: string, bytes: Uint8Array): void {
  const draft = `${file}.${process.pid}`;
  try {
    fs.writeFileSync(draft, bytes, { mode: 0o600 });
    fs.renameSync(draft, file);
  } catch {
    fs.rmSync(draft, { force: true });
  }
}
