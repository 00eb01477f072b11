import process from "node:process";
import type { AssembledContext, TierShares } from "../../packages/throughline/src/context/context-api.ts";
import { readCall } from "../../packages/throughline/src/ledger/read/read-call.ts";
import type { Message } from "../../packages/throughline/src/message/message.ts";
import { type ReplayPoint, readFolders, startOf } from "./replay-points.ts";
import { replayFolder } from "./replay-sessions.ts";

/** Token budget of the session-start hook. */
const BUDGET = 1_500;
/** Shares of the session-start hook, whose reader cannot expand an index. */
const WITHOUT_INDEX: TierShares = { critical: 0.25, relevant: 0.375, background: 0.375, index: 0 };

/** The start of a session that had others before it in its project. */
export interface SessionStart {
  readonly point: ReplayPoint;
  readonly assembled: AssembledContext;
  /** Shell scripts that earlier sessions of the project ran. */
  readonly earlierScripts: readonly string[];
}

/** Replays all sessions and assembles, at the start of each, what the session-start hook prints. */
export async function* sessionStarts(data: string): AsyncGenerator<SessionStart> {
  for (const [folder, sessions] of await readFolders(data)) {
    process.stderr.write(`${sessions.length} sessions of a folder …\n`);
    const scripts = new Map(sessions.map((session) => [session.id, scriptsOf(session.messages)]));
    for await (const { throughline, point } of replayFolder(folder, sessions, startOf)) {
      const before = sessions.slice(0, sessions.indexOf(point.session));
      if (before.length === 0) continue;
      const assembled = await throughline.context.assemble({
        budget: BUDGET,
        signals: point.signals,
        shares: WITHOUT_INDEX,
      });
      yield { point, assembled, earlierScripts: before.flatMap(({ id }) => scripts.get(id) ?? []) };
    }
  }
}

/** Shell scripts of a session's tool calls. */
export function scriptsOf(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "tool-call" ? (readCall(part).shell?.text ?? []) : [])),
  );
}

/** True if a script runs a command literally, not as the start of a longer word. */
export function runsCommand(script: string, command: string): boolean {
  for (let at = script.indexOf(command); at >= 0; at = script.indexOf(command, at + 1)) {
    const [before, after] = [script[at - 1] ?? " ", script[at + command.length] ?? " "];
    if (!/[\w./:-]/.test(before) && !/[\w./:-]/.test(after)) return true;
  }
  return false;
}
