import path from "node:path";
import type { OpenMemory } from "throughline/internal";
import type { OpenData } from "../data/open-data.ts";
import { readConfig } from "../init/config-change.ts";
import type { Agent } from "../hook/agent-hooks.ts";
import { includesAgents } from "./agent-file.ts";
import { findBlock } from "./memory-block.ts";
import { memoryLines } from "./memory-lines.ts";
import { baseOf, readSynced } from "./synced-states.ts";

const AGENTS = "AGENTS.md";

/** The files of a project that an agent reads when a session starts. The first one that exists counts. */
const READ_BY: Readonly<Record<Agent, readonly string[]>> = {
  "claude-code": ["CLAUDE.md", ".claude/CLAUDE.md"],
  codex: [AGENTS],
  opencode: [AGENTS, "CLAUDE.md"],
  "gemini-cli": ["GEMINI.md"],
};

/**
 * Ids of the memories that an agent already reads in a synced file, so that they are not repeated. Memories and lines
 * that changed since the last sync do not count.
 */
export async function memoriesInFile(
  { store, throughline }: Pick<OpenData<OpenMemory>, "store" | "throughline">,
  agent: Agent,
  { folder, project = folder }: { readonly folder: string; readonly project?: string },
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const { name, text } of await readFiles(agent, folder)) {
    const synced = await readSynced(store.documents, { project, name });
    const block = synced.states.length === 0 ? undefined : readBlock(name, text);
    if (block === undefined) continue;
    const present = new Set(block.sections.flatMap(({ items }) => items.map((item) => item.text)));
    const known = baseOf(synced, block.state).flatMap((line) => line.ids);
    const lines = memoryLines(await throughline.memory.getAll(known), { project, root: folder });
    for (const line of lines.values()) if (present.has(line.text)) for (const { id } of line.memories) ids.add(id);
  }
  return ids;
}

interface ReadFile {
  readonly name: string;
  readonly text: string;
}

async function readFiles(agent: Agent, folder: string): Promise<readonly ReadFile[]> {
  const read = async (name: string): Promise<readonly ReadFile[]> => {
    const text = await readConfig(path.join(folder, name)).catch(() => undefined);
    return text === undefined ? [] : [{ name, text }];
  };
  for (const name of READ_BY[agent]) {
    const [found] = await read(name);
    if (found === undefined) continue;
    return name !== AGENTS && includesAgents(found.text) ? [found, ...(await read(AGENTS))] : [found];
  }
  return [];
}

/** The block of a file; `undefined` if it has none, or one that `sync` refuses. */
function readBlock(name: string, text: string) {
  try {
    return findBlock(name, text);
  } catch {
    return undefined;
  }
}
