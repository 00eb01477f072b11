import type { RecordPorts } from "throughline/internal";
import { LOCAL_USER, LOGGER, type OpenData, throughlineOf } from "../data/open-data.ts";

/** Dependencies for learning in a project, or in none. */
export async function learningDeps({ store }: OpenData, projectId: string | undefined): Promise<RecordPorts> {
  // Memories belong to the project of the session, not to the current folder.
  const { memory, context } = await throughlineOf(store, projectId);
  const observe: RecordPorts["observe"] = (signal) => context.observe(signal);
  return { memory, documents: store.documents, owner: LOCAL_USER, projectId, logger: LOGGER, observe };
}
