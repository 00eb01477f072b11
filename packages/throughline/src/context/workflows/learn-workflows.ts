import { findSecrets } from "../../internal/find-secrets.ts";
import { digest } from "../../internal/json.ts";
import type { RememberInput } from "../../memory/memory-api.ts";
import {
  addDigests,
  emptyCounts,
  type OutcomeCounts,
  readDigests,
  upsertLearned,
  workflowId,
} from "../episodes/learned-entries.ts";
import type { RecordPorts } from "../episodes/record-ports.ts";
import { newestRecords } from "../episodes/session-record.ts";
import { chooseWorkflows } from "./choose-workflows.ts";
import { type DescribedWorkflow, describeWorkflow, workflowMemory } from "./describe-workflow.ts";
import type { SessionRuns } from "./step-run.ts";
import { COMMANDS, commandsMemory, type UsualCommands, usualCommands } from "./usual-commands.ts";

/** Number of newest sessions to mine. Older ones say little about current habits. */
const MAX_SESSIONS = 300;
const KIND = "workflows";
/** Start of the stored digest of a workflow that is no longer mined. */
const CLOSED = "closed:";

/** Learned workflows: counts by outcome, and one line per workflow. */
interface LearnedWorkflows {
  readonly counts: OutcomeCounts;
  readonly hints: readonly string[];
}

/** Recurring commands of a project. */
interface MinedCommands {
  readonly workflows: readonly DescribedWorkflow[];
  /** Commands outside of the workflows. */
  readonly others?: UsualCommands;
  /** One line per workflow. */
  readonly hints: readonly string[];
}

/** Mines recurring workflows and commands. The order of the sessions does not matter. */
export function mineWorkflows(sessions: readonly SessionRuns[]): MinedCommands {
  const inOrder = sessions.toSorted((a, b) => a.at - b.at || (a.sessionId < b.sessionId ? -1 : 1));
  const workflows = chooseWorkflows(inOrder).map((mined) => describeWorkflow(mined, inOrder));
  const others = usualCommands(
    inOrder,
    workflows.flatMap(({ commands }) => commands),
  );
  const hints = [...workflows.map(({ hint }) => hint), ...(others === undefined ? [] : [others.hint])];
  return { workflows, hints, ...(others !== undefined && { others }) };
}

/**
 * Saves the recurring workflows and commands of a project's sessions. A known workflow is updated in place; one that a
 * user edited, archived or erased stays as it is.
 */
export async function learnWorkflows(
  ports: RecordPorts,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<LearnedWorkflows> {
  const mined = mineWorkflows(await newestRecords(ports, MAX_SESSIONS));
  const counts = emptyCounts();
  const known = await readDigests(ports, KIND);
  const memories = new Map(memoriesOf(mined));
  const digests: Record<string, string> = {};
  for (const [name, input] of memories) {
    signal?.throwIfAborted();
    const id = workflowId(ports.projectId ?? "", name);
    const lastDigest = await reopen(ports, id, known[name]);
    const written = await upsertLearned(ports.memory, { ...input, id }, lastDigest);
    counts[written.outcome] += 1;
    digests[name] = written.digest;
  }
  for (const [name, lastDigest] of Object.entries(known)) {
    const isGone = !memories.has(name) && (await close(ports, workflowId(ports.projectId ?? "", name), lastDigest));
    if (isGone) digests[name] = `${CLOSED}${lastDigest}`;
  }
  await addDigests(ports, KIND, digests);
  return { counts, hints: mined.hints };
}

/** Archives a workflow that is no longer mined, unless a user edited or pinned it. Returns true if it did. */
async function close({ memory }: RecordPorts, id: string, lastDigest: string): Promise<boolean> {
  const known = await memory.get(id);
  const isOurs = known?.archivedAt === undefined && known?.pinned === false;
  if (!isOurs || digest(known.levels.full) !== lastDigest) return false;
  await memory.forget(id);
  return true;
}

/** Restores a workflow that `close` archived. Returns the digest of its text. */
async function reopen(
  { memory }: RecordPorts,
  id: string,
  lastDigest: string | undefined,
): Promise<string | undefined> {
  if (!lastDigest?.startsWith(CLOSED)) return lastDigest;
  if ((await memory.get(id))?.archivedAt !== undefined) await memory.update(id, { archived: false });
  return lastDigest.slice(CLOSED.length);
}

/** Memories by name. One whose joined parts look like a secret is left out. */
function memoriesOf({ workflows, others }: MinedCommands): readonly (readonly [name: string, RememberInput])[] {
  const all = [
    ...workflows.map((workflow) => [workflow.name, workflowMemory(workflow)] as const),
    ...(others === undefined ? [] : [[COMMANDS, commandsMemory(others)] as const]),
  ];
  return all.filter(([, { text }]) => findSecrets(text).length === 0);
}
