import type { Memory, MemoryService } from "throughline";
import type { OpenData } from "../data/open-data.ts";
import { allMemories } from "../data/stored-memory.ts";
import type { AgentFile } from "./agent-file.ts";
import { cleanItem, type FoundBlock, findBlock, type WrittenSection, writeBlock } from "./memory-block.ts";
import { type MemoryLine, memoryLines } from "./memory-lines.ts";
import { type MemoryChange, planSync, type SyncPlan } from "./plan-sync.ts";
import { baseOf, digestOf, readSynced, stateId, writeSynced } from "./synced-states.ts";

/** A planned sync, and the file after it. */
export interface PlannedSync extends SyncPlan {
  readonly hasBlock: boolean;
  /** The file after the sync; the same text if it does not change. */
  readonly after: string | undefined;
  /** Number of lines in the block. */
  readonly count: number;
}

/**
 * Compares a file with the memories of its project. Changes nothing.
 *
 * @throws ConfigError if the block of the file cannot be read
 */
export async function planFile({ store, throughline }: OpenData, agentFile: AgentFile): Promise<PlannedSync> {
  const { file, text } = agentFile;
  const found = text === undefined ? undefined : findBlock(file, text);
  const synced = await readSynced(store.documents, agentFile);
  const base = baseOf(synced, found?.state ?? "");
  const lines = await currentLines(throughline.memory, agentFile);
  const plan = planSync({
    sections: found?.sections,
    base,
    lines,
    successors: await findSuccessors(
      throughline.memory,
      base.flatMap(({ ids }) => ids),
      lines,
    ),
    removed: new Set(synced.removed),
  });
  const count = plan.sections.reduce((sum, { texts }) => sum + texts.length, 0);
  const isEmpty = found === undefined && count === 0;
  return {
    ...plan,
    hasBlock: found !== undefined,
    after: isEmpty ? text : nextText(text, found, plan.sections),
    count,
  };
}

function nextText(
  text: string | undefined,
  found: FoundBlock | undefined,
  sections: readonly WrittenSection[],
): string | undefined {
  const id = idOf(sections);
  const before = found?.sections.map(({ heading, items }) => ({ heading, texts: items.map((item) => item.text) }));
  // The formatting that a person or a tool gave the block stays.
  const isSame = found?.state === id && before !== undefined && idOf(before) === id;
  return isSame ? text : writeBlock(text, found, sections, id);
}

function idOf(sections: readonly WrittenSection[]): string {
  return stateId(sections.flatMap(({ heading, texts }) => [heading, ...texts]));
}

async function currentLines(memory: MemoryService, agentFile: AgentFile): Promise<ReadonlyMap<string, MemoryLine>> {
  return memoryLines(await allMemories(memory, { kinds: ["fact", "workflow"] }), agentFile);
}

/** Maximum number of replacements to follow from a synced memory to the current one. */
const MAX_REPLACEMENTS = 10;

/** The current memory for each ended one that was replaced. */
async function findSuccessors(
  memory: MemoryService,
  ids: readonly string[],
  lines: ReadonlyMap<string, MemoryLine>,
): Promise<ReadonlyMap<string, string>> {
  const current = new Set([...lines.values()].flatMap(({ memories }) => memories.map(({ id }) => id)));
  const successors = new Map<string, string>();
  let open = new Map(ids.filter((id) => !current.has(id)).map((id) => [id, id]));
  for (let step = 0; step < MAX_REPLACEMENTS && open.size > 0; step += 1) {
    const found = new Map((await memory.get([...new Set(open.values())])).map((one) => [one.id, one]));
    const next = new Map<string, string>();
    for (const [id, at] of open) {
      const successor = found.get(at)?.supersededBy;
      if (successor === undefined) continue;
      if (current.has(successor)) successors.set(id, successor);
      else next.set(id, successor);
    }
    open = next;
  }
  return successors;
}

/** Saves edits of the file as memories. */
export async function changeMemories(
  memory: MemoryService,
  changes: readonly MemoryChange[],
  { name }: AgentFile,
): Promise<void> {
  for (const change of changes) {
    if (change.action === "forget") await forgetAll(memory, change.memories);
    else await saveLine(memory, change, name);
  }
}

async function forgetAll(memory: MemoryService, memories: readonly Memory[]): Promise<void> {
  for (const { id } of memories) await memory.forget(id);
}

async function saveLine(
  memory: MemoryService,
  change: Exclude<MemoryChange, { readonly action: "forget" }>,
  name: string,
): Promise<void> {
  const { text, line } = change;
  const [first, ...others] = change.action === "change" ? change.memories : [];
  const scope = first?.scope ?? "project-shared";
  // A memory replaces only memories of the same scope.
  const replaces = first === undefined ? [] : [first, ...others].filter((one) => one.scope === scope);
  const saved = await memory.remember({
    text,
    scope,
    byHand: true,
    source: { quote: text, at: Date.now() },
    artifacts: [{ type: "file", ref: `${name}:${line}` }],
    replaces: replaces.map(({ id }) => id),
  });
  // A merged memory gets the wording of the file.
  if (cleanItem(saved.memory.levels.full) !== text) await memory.update(saved.memory.id, { text });
  await forgetAll(
    memory,
    others.filter((one) => one.scope !== scope),
  );
}

/** Records the block as the base of the next sync. */
export async function recordSync(
  { store, throughline }: OpenData,
  agentFile: AgentFile,
  { sections, changes }: SyncPlan,
): Promise<void> {
  const lines = await currentLines(throughline.memory, agentFile);
  const texts = sections.flatMap((section) => section.texts);
  const state = {
    id: idOf(sections),
    lines: texts.flatMap((text) => {
      const ids = lines.get(text)?.memories.map(({ id }) => id);
      return ids === undefined ? [] : [{ digest: digestOf(text), ids }];
    }),
  };
  const removed = changes.flatMap((change) => (change.action === "forget" ? [digestOf(change.text)] : []));
  await writeSynced(store.documents, agentFile, await readSynced(store.documents, agentFile), { state, removed });
}
