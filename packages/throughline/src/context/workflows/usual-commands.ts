import type { RememberInput } from "../../memory/memory-api.ts";
import { dayOf } from "./describe-workflow.ts";
import { isOfGit } from "./find-fixes.ts";
import { generaliseCommand } from "./generalise-command.ts";
import type { SessionRuns } from "./step-run.ts";

/** Commands that sessions of a project run again and again, outside of its workflows. */
export interface UsualCommands {
  /** Most used first. */
  readonly commands: readonly string[];
  /** The commands on one line. */
  readonly hint: string;
  /** Times of the first and last run, if known. */
  readonly since?: number;
  readonly last?: number;
}

/** Name of the memory that lists the commands. */
export const COMMANDS = "commands";
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
export function usualCommands(sessions: readonly SessionRuns[], covered: readonly string[]): UsualCommands | undefined {
  const uses = sessions.flatMap(({ sessionId, at, runs }) =>
    runs
      .filter(({ command }) => !isOfGit(command))
      .map(
        ({ command, outcome }): CommandUse => ({
          command: generaliseCommand([command]),
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
export function commandsMemory({ hint, since, last }: UsualCommands): RememberInput {
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
