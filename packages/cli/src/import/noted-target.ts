import process from "node:process";
import { type NotedImport, noteImport, omitUndefined } from "throughline/internal";
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
    const openOnce = () => {
      opened ??= openNoted();
      return opened;
    };
    const save = async () => ((await note?.save()) ? note?.id : undefined);
    const result = await work(openOnce).catch(async (error: unknown) => {
      const id = await save();
      if (id !== undefined) process.stderr.write(`Undo what was imported: \`throughline undo ${id}\`\n`);
      throw error;
    });
    return { ...result, ...omitUndefined({ importId: await save() }) };
  });
}
