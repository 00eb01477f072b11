import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { type Message, parseTranscript, repairWindow } from "throughline";
import { countTotalTokens } from "throughline/tokens";

export interface LongSession {
  readonly id: string;
  readonly messages: readonly Message[];
  readonly tokens: number;
}

/**
 * Sessions of at least so many tokens, evenly taken from the folder. Compactions of the agent are left out: each is
 * replayed as if it had gone on, so that the policies alone decide.
 */
export async function readSessions(folder: string, wanted: number, leastTokens: number): Promise<LongSession[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".jsonl")).sort();
  const found: LongSession[] = [];
  for (const name of spread(names, wanted)) {
    if (found.length === wanted) break;
    const { sessions } = parseTranscript(await readFile(path.join(folder, name), "utf8"), "claude-code");
    const main = sessions.find((session) => session.meta.parentId === undefined);
    if (main === undefined) continue;
    const { messages } = repairWindow(main.messages.filter((message) => message.isSummary !== true));
    const tokens = countTotalTokens(messages);
    if (tokens >= leastTokens) found.push({ id: main.id, messages, tokens });
  }
  return found;
}

/** All names, every n-th first. */
function spread(names: readonly string[], wanted: number): string[] {
  const step = Math.max(1, Math.floor(names.length / Math.max(1, wanted)));
  const offsets = Array.from({ length: step }, (_, offset) => offset);
  return offsets.flatMap((offset) => names.filter((_, index) => index % step === offset));
}
