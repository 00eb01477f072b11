import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { type Message, parseTranscript, repairWindow } from "throughline";
import { countTotalTokens } from "throughline/tokens";

export interface LongSession {
  readonly id: string;
  readonly messages: readonly Message[];
  readonly tokens: number;
}

export interface WantedSessions {
  readonly count: number;
  readonly minTokens: number;
  /** Files to read, by name (default: all). */
  readonly isWanted?: (name: string) => boolean;
}

/**
 * Sessions with a minimum number of tokens, evenly sampled from the folder of an agent. The agent's compactions are
 * left out, so that only the policies decide.
 */
export async function readSessions(
  data: string,
  agent: "claude-code" | "codex",
  { count, minTokens, isWanted = () => true }: WantedSessions,
): Promise<LongSession[]> {
  const folder = path.join(data, agent, "sessions");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".jsonl") && isWanted(name)).sort();
  const found: LongSession[] = [];
  for (const name of spread(names, count)) {
    if (found.length === count) break;
    const { sessions } = parseTranscript(await readFile(path.join(folder, name), "utf8"), agent);
    const main = sessions.find((session) => session.meta.parentId === undefined);
    if (main === undefined) continue;
    const { messages } = repairWindow(main.messages.filter((message) => message.isSummary !== true));
    const tokens = countTotalTokens(messages);
    if (tokens >= minTokens) found.push({ id: main.id, messages, tokens });
  }
  return found;
}

/** All names, every n-th first. */
function spread(names: readonly string[], count: number): string[] {
  const step = Math.max(1, Math.floor(names.length / Math.max(1, count)));
  const offsets = Array.from({ length: step }, (_, offset) => offset);
  return offsets.flatMap((offset) => names.filter((_, index) => index % step === offset));
}
