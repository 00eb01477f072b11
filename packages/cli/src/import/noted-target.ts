import { type NotedImport, noteImport } from "throughline/internal";
import { type DataOptions, LOCAL_USER, type OpenData, throughlineOf, withTarget } from "../data/open-data.ts";

/**
 * Runs an import so that it can be undone as a whole: everything it writes is noted, also if it is interrupted.
 *
 * @param sources Files, folders and repositories that are imported
 * @returns the result, with the id of the import if it wrote anything
 */
export async function withNotedTarget<T extends object>(
  options: DataOptions & { readonly dryRun?: boolean },
  sources: readonly string[],
  work: (open: () => Promise<OpenData>) => Promise<T>,
): Promise<T & { readonly importId?: string }> {
  return withTarget(options, async (open) => {
    let note: NotedImport<OpenData["store"]> | undefined;
    let opened: Promise<OpenData> | undefined;
    const openNoted = async (): Promise<OpenData> => {
      const { store, inference } = await open();
      note = noteImport(store, { owner: LOCAL_USER, clock: { now: () => Date.now() }, sources });
      const data = { store: note.store, inference };
      return { ...data, throughline: await throughlineOf(data, options.project) };
    };
    if (options.dryRun) return work(open);
    let isSaved: boolean | undefined;
    let result: T;
    try {
      result = await work(() => {
        opened ??= openNoted();
        return opened;
      });
    } finally {
      isSaved = await note?.save();
    }
    return { ...result, ...(isSaved && note !== undefined && { importId: note.id }) };
  });
}
