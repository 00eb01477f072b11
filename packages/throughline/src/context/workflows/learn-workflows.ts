import { findSecrets } from "../../internal/find-secrets.ts";
import type { RememberInput } from "../../memory/service/memory-api.ts";
import { addDigests, readDigests, workflowId } from "../episodes/learned-digests.ts";
import type { RecordPorts } from "../episodes/record-ports.ts";
import { newestRecords } from "../episodes/session-record.ts";
import { emptyCounts, type OutcomeCounts, upsertLearned } from "../episodes/upsert-learned.ts";
import { chooseWorkflows } from "./choose-workflows.ts";
import { type DescribedWorkflow, describeWorkflow, workflowMemory } from "./describe-workflow.ts";
import type { SessionRuns } from "./step-run.ts";

/** How people work changes: what was done long ago says less of it than it costs. */
const MAX_SESSIONS = 300;
const KIND = "workflows";

/** Procedures that were learned, and what became of each. */
interface LearnedWorkflows {
  readonly tally: OutcomeCounts;
  readonly hints: readonly string[];
}

/** The procedures that recur in what sessions did. The order of the sessions makes no difference. */
export function mineWorkflows(sessions: readonly SessionRuns[]): readonly DescribedWorkflow[] {
  const inOrder = sessions.toSorted((a, b) => a.at - b.at || (a.sessionId < b.sessionId ? -1 : 1));
  return chooseWorkflows(inOrder).map((mined) => describeWorkflow(mined, inOrder));
}

/**
 * Remembers the procedures that recur in the sessions of a project. Learned again, a procedure is told anew in its place; what a
 * person has changed, put away or erased stays so.
 */
export async function learnWorkflows(
  ports: RecordPorts,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<LearnedWorkflows> {
  const workflows = mineWorkflows(await newestRecords(ports, MAX_SESSIONS));
  const tally = emptyCounts();
  const told = await readDigests(ports, KIND);
  const digests: Record<string, string> = {};
  for (const workflow of workflows) {
    signal?.throwIfAborted();
    const input = toRemember(workflow, ports);
    const { outcome, digest } = await upsertLearned(ports.memory, input, told[workflow.name]);
    tally[outcome] += 1;
    digests[workflow.name] = digest;
  }
  await addDigests(ports, KIND, digests);
  return { tally, hints: workflows.map(({ hint }) => hint) };
}

function toRemember(
  workflow: DescribedWorkflow,
  { projectId = "" }: RecordPorts,
): RememberInput & { readonly id: string } {
  const id = workflowId(projectId, workflow.name);
  const input = workflowMemory(workflow);
  // Two halves that are no secret may meet in a line and look like one.
  const { template = {}, text } = input;
  const isSafe =
    findSecrets(text).length === 0 && Object.values(template).every((line) => findSecrets(line).length === 0);
  return { ...(isSafe ? input : workflowMemory({ ...workflow, details: {}, fixes: [] })), id };
}
