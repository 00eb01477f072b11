import type { RecordPorts } from "throughline/internal";
import { LOGGER, type OpenData, OWNER, throughlineOf } from "../data/open-data.ts";

/** What it takes to learn from what was done in a project; in none, where no one is named. */
export async function learningPorts({ store }: OpenData, projectId: string | undefined): Promise<RecordPorts> {
  // What is learnt belongs to the project that it was done in, wherever the command was called.
  const { memory, context } = await throughlineOf(store, projectId);
  const observe: RecordPorts["observe"] = (signal) => context.observe(signal);
  return { memory, documents: store.documents, owner: OWNER, projectId, logger: LOGGER, observe };
}
