import { access, constants, stat } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { StoreError } from "throughline";
import type { OpenMemory } from "throughline/internal/engine";
import { projectFolder, projectOf } from "../config/project.ts";
import type { OpenData } from "../data/open-data.ts";
import type { Agent } from "../hook/agent-hooks.ts";
import { readConfig } from "../init/config-change.ts";
import { UsageError } from "../usage-error.ts";
import { findBlock } from "./memory-block.ts";
import { memoryLines } from "./memory-lines.ts";
import { baseOf, type FileName, readSynced } from "./synced-states.ts";

/** The file with a project's instructions for coding agents. */
export interface AgentFile extends FileName {
  /** Absolute path. */
  readonly file: string;
  /** Folder of the project's files. */
  readonly root: string;
  /** `undefined` if the file does not exist. */
  readonly text: string | undefined;
}

const AGENTS = "AGENTS.md";
const CLAUDE = "CLAUDE.md";
const INCLUDES_AGENTS = /(?:^|\s)@(?:\.\/)?AGENTS\.md(?![\w/])/;
const HAS_BLOCK = /^[^\S\n]*<!--\s*throughline:(?:start|end)\b/m;

/**
 * The named file, or the file of the project: the one that has a block, or `AGENTS.md`, or `CLAUDE.md` if it does not
 * refer to `AGENTS.md`. If none exists, `AGENTS.md`.
 *
 * @throws UsageError if no file is named and the folder is not in a repository
 */
export async function findAgentFile(
  named: string | undefined,
  { dir, project }: { readonly dir?: string; readonly project?: string },
): Promise<AgentFile> {
  const folder = projectFolder(dir ?? process.cwd());
  const file = named === undefined ? undefined : path.resolve(folder, named);
  const { id, root, isRepository } = projectOf(file === undefined ? folder : path.dirname(file));
  if (file === undefined && !isRepository) {
    throw new UsageError(
      `No file to sync: ${folder} is not in a repository.`,
      "Change to a folder of the project, or name a file.",
    );
  }
  const found = file ?? path.join(root, await chooseFile(root));
  const name = path.relative(root, found).replaceAll("\\", "/");
  return { file: found, name, root, project: project ?? id, text: await readConfig(found) };
}

async function chooseFile(root: string): Promise<string> {
  const [agents, claude] = await Promise.all([AGENTS, CLAUDE].map((name) => readConfig(path.join(root, name))));
  if (agents !== undefined && HAS_BLOCK.test(agents)) return AGENTS;
  if (claude !== undefined && HAS_BLOCK.test(claude)) return CLAUDE;
  return agents === undefined && claude !== undefined && !INCLUDES_AGENTS.test(claude) ? CLAUDE : AGENTS;
}

/** True if Claude Code does not read a file: it reads `CLAUDE.md`, which can include `AGENTS.md`. */
export async function isHiddenFromClaude({ root, name }: AgentFile): Promise<boolean> {
  return name === AGENTS && !INCLUDES_AGENTS.test((await readConfig(path.join(root, CLAUDE))) ?? "");
}

/** @throws StoreError if the file exists and is read-only */
export async function checkWritable(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return;
  // A read-only file can be in a writable folder, and replacing it would ignore its mode.
  const isWritable = await access(file, constants.W_OK).then(
    () => (found.mode & 0o222) !== 0,
    () => false,
  );
  if (!isWritable) throw new StoreError("read-only", `${file} is read-only. Nothing was changed.`);
}

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
    const lines = memoryLines(await throughline.memory.get(known), { project, root: folder });
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
    return name !== AGENTS && INCLUDES_AGENTS.test(found.text) ? [found, ...(await read(AGENTS))] : [found];
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
