import type { RecordPorts } from "throughline/internal/engine";
import { LOCAL_USER, LOGGER, type OpenData, throughlineOf } from "../data/open-data.ts";

/** Dependencies for learning in a project, or in none. */
export async function learningDeps(data: OpenData, projectId: string | undefined): Promise<RecordPorts> {
  // Memories belong to the project of the session, not to the current folder.
  const { memory, context } = await throughlineOf(data, projectId);
  const observe: RecordPorts["observe"] = (signal) => context.observe(signal);
  const { store, inference } = data;
  const { model } = inference;
  return { memory, documents: store.documents, userId: LOCAL_USER, projectId, model, logger: LOGGER, observe };
}
