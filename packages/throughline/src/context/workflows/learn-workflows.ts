import { findSecrets } from "../../internal/find-secrets.ts";
import type { RememberInput } from "../../memory/service/memory-api.ts";
import { addDigests, readDigests, workflowId } from "../episodes/learned-digests.ts";
import type { RecordPorts } from "../episodes/record-ports.ts";
import { newestRecords } from "../episodes/session-record.ts";
import { emptyCounts, type OutcomeCounts, upsertLearned } from "../episodes/upsert-learned.ts";
import { chooseWorkflows } from "./choose-workflows.ts";
import { type DescribedWorkflow, describeWorkflow, workflowMemory } from "./describe-workflow.ts";
import type { SessionRuns } from "./step-run.ts";

/** Number of newest sessions to mine. Older ones say little about current habits. */
const MAX_SESSIONS = 300;
const KIND = "workflows";

/** Learned workflows: counts by outcome, and one line per workflow. */
interface LearnedWorkflows {
  readonly tally: OutcomeCounts;
  readonly hints: readonly string[];
}

/** Mines recurring workflows. The order of the sessions does not matter. */
export function mineWorkflows(sessions: readonly SessionRuns[]): readonly DescribedWorkflow[] {
  const inOrder = sessions.toSorted((a, b) => a.at - b.at || (a.sessionId < b.sessionId ? -1 : 1));
  return chooseWorkflows(inOrder).map((mined) => describeWorkflow(mined, inOrder));
}

/**
 * Saves the recurring workflows of a project's sessions. A known workflow is updated in place; one that a user edited,
 * archived or erased stays as it is.
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
  // Parts that are harmless alone can look like a secret when they are joined.
  const { template = {}, text } = input;
  const isSafe =
    findSecrets(text).length === 0 && Object.values(template).every((line) => findSecrets(line).length === 0);
  return { ...(isSafe ? input : workflowMemory({ ...workflow, details: {}, fixes: [] })), id };
}
