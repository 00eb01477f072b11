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
import { newestRecords, type RecordPorts } from "../episodes/session-record.ts";
import { chooseWorkflows } from "./choose-workflows.ts";
import {
  type DescribedWorkflow,
  dayOf,
  describeWorkflow,
  generalizeCommand,
  isOfGit,
  workflowMemory,
} from "./describe-workflow.ts";
import type { SessionRuns } from "./run-recorder.ts";

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

/** Commands that sessions of a project run again and again, outside of its workflows. */
interface UsualCommands {
  /** Most used first. */
  readonly commands: readonly string[];
  /** The commands on one line. */
  readonly hint: string;
  /** Times of the first and last run, if known. */
  readonly since?: number;
  readonly last?: number;
}

/** Name of the memory that lists the commands. */
const COMMANDS = "commands";
const MIN_SESSIONS = 2;
/** Minimum number of runs, and maximum number of words, of a command of one session. Long ones are of one task. */
const MIN_TIMES = 3;
const MAX_WORDS = 4;
const MAX_COMMANDS = 8;
const MAX_COMMAND_LENGTH = 100;
/** Files outside of the project: of one machine, or of one session. */
const OUTSIDE = /(?:^|[\s="'])(?:\/(?!dev\/null\b)[\w.-]+\/|~\/|[A-Za-z]:[\\/])/;

interface CommandUse {
  readonly command: string;
  readonly sessionId: string;
  readonly at: number;
  readonly isOk: boolean;
}

/**
 * Commands that ran in several sessions, or several times in one, and succeeded at least once. Commands of version
 * control are left out, because every agent knows them, and commands with files outside of the project.
 *
 * @param covered commands that workflows have already
 */
function usualCommands(sessions: readonly SessionRuns[], covered: readonly string[]): UsualCommands | undefined {
  const uses = sessions.flatMap(({ sessionId, at, runs }) =>
    runs
      .filter(({ command }) => !isOfGit(command))
      .map(
        ({ command, outcome }): CommandUse => ({
          command: generalizeCommand([command]),
          sessionId,
          at,
          isOk: outcome === "ok",
        }),
      ),
  );
  const frequent = [...Map.groupBy(uses, ({ command }) => command)]
    .filter(([command, own]) => !covered.includes(command) && isUsual(command, own))
    .map(([command, own]) => {
      const times = own.map(({ at }) => at);
      return { command, sessions: sessionsOf(own), since: Math.min(...times), last: Math.max(...times) };
    })
    .sort((a, b) => b.sessions - a.sessions || b.last - a.last || (a.command < b.command ? -1 : 1))
    .slice(0, MAX_COMMANDS);
  if (frequent.length === 0) return undefined;
  const commands = frequent.map(({ command }) => command);
  const since = Math.min(...frequent.map((one) => one.since));
  const last = Math.max(...frequent.map((one) => one.last));
  const hint = `Also run here: ${commands.map((command) => `\`${command}\``).join(", ")}`;
  return { commands, hint, ...(since > 0 && { since, last }) };
}

function isUsual(command: string, uses: readonly CommandUse[]): boolean {
  if (command === "" || command.length > MAX_COMMAND_LENGTH || OUTSIDE.test(command)) return false;
  if (!uses.some(({ isOk }) => isOk)) return false;
  const isOften = uses.length >= MIN_TIMES && command.split(" ").length <= MAX_WORDS;
  return isOften || sessionsOf(uses) >= MIN_SESSIONS;
}

function sessionsOf(uses: readonly CommandUse[]): number {
  return new Set(uses.map(({ sessionId }) => sessionId)).size;
}

/** Memory of the commands. Learning them again updates the same memory. */
function commandsMemory({ hint, since, last }: UsualCommands): RememberInput {
  return {
    kind: "workflow",
    text: last === undefined ? hint : `${hint} (last ${dayOf(last)})`,
    key: COMMANDS,
    title: COMMANDS,
    levels: { summary: hint, compressed: hint, index: COMMANDS },
    source: last === undefined ? {} : { at: last },
    ...(since !== undefined && { validFrom: since }),
  };
}
