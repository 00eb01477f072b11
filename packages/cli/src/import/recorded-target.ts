import process from "node:process";
import { type RecordedImport, recordImport } from "throughline/internal/engine";
import { omitUndefined, SYSTEM_CLOCK } from "throughline/internal/util";
import { type DataOptions, LOCAL_USER, type OpenData, throughlineOf, withTarget } from "../data/open-data.ts";

/**
 * Runs an import so that it can be undone as a whole: everything it writes is recorded, also if it is interrupted.
 *
 * @param sources Files, folders and repositories that are imported
 * @returns the result, with the id of the import if it wrote anything
 */
export async function withRecordedTarget<T extends object>(
  options: DataOptions & { readonly dryRun?: boolean },
  sources: readonly string[],
  work: (open: () => Promise<OpenData>) => Promise<T>,
): Promise<T & { readonly importId?: string }> {
  return withTarget(options, async (open) => {
    let recorded: RecordedImport<OpenData["store"]> | undefined;
    let opened: Promise<OpenData> | undefined;
    const openRecorded = async (): Promise<OpenData> => {
      const { store, inference } = await open();
      recorded = recordImport(store, { userId: LOCAL_USER, clock: SYSTEM_CLOCK, sources });
      const data = { store: recorded.store, inference };
      return { ...data, throughline: await throughlineOf(data, options.project) };
    };
    if (options.dryRun) return work(open);
    const openOnce = () => {
      opened ??= openRecorded();
      return opened;
    };
    const save = async () => ((await recorded?.save()) ? recorded?.id : undefined);
    const result = await work(openOnce).catch(async (error: unknown) => {
      const id = await save();
      if (id !== undefined) process.stderr.write(`Undo what was imported: \`throughline undo ${id}\`\n`);
      throw error;
    });
    return { ...result, ...omitUndefined({ importId: await save() }) };
  });
}
