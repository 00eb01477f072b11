import { MOST_CHARACTERS } from "../../integrations/ledger-block.ts";
import type { RecallHit } from "../../memory/service/memory-api.ts";
import { renderMemories } from "../../memory/service/memory-block.ts";
import type { MemoryService } from "../../memory/service/memory-service.ts";
import type { Memory } from "../../ports/memory.ts";
import { withKeptMemory } from "../data/kept-memory.ts";
import type { DataOptions } from "../data/open-data.ts";
import type { HookInput } from "./hook-input.ts";

const PAGE = 500;
/** More than fit any budget are not weighed. */
const CANDIDATES = 80;
const TRIES = 4;

/** What holds in a project, as a block for a prompt; "" where nothing is remembered. */
export async function projectMemories(
  { sessionId, source }: HookInput,
  options: DataOptions,
  budget: number,
  signal: AbortSignal,
): Promise<string> {
  // A session that goes on has in its window what was said in it.
  const going = source === "resume" ? sessionId : undefined;
  const isKnown = (memory: Memory) => going !== undefined && memory.source.sessionId === going;
  const hits = await withKeptMemory(options, async (memory) => {
    const current = await currentMemories(memory, signal);
    const wanted = current.filter((one) => !isKnown(one)).sort(byWeight(options.project));
    return wanted.slice(0, CANDIDATES).map(toHit);
  });
  return render(hits ?? [], budget);
}

async function currentMemories(memory: MemoryService, signal: AbortSignal): Promise<Memory[]> {
  const found: Memory[] = [];
  for (let after = ""; ; ) {
    signal.throwIfAborted();
    const page = await memory.list({ after, limit: PAGE });
    found.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return found;
    after = last.id;
  }
}

/** Pinned ones first, then what is of this project, then what was said last. */
function byWeight(project: string | undefined): (a: Memory, b: Memory) => number {
  const isOfProject = ({ projectId }: Memory) => Number(projectId !== undefined && projectId === project);
  return (a, b) =>
    Number(b.pinned) - Number(a.pinned) || isOfProject(b) - isOfProject(a) || b.lastSeenAt - a.lastSeenAt;
}

function toHit(memory: Memory): RecallHit {
  // What was done is told in short: all of it would leave no room for anything else.
  const { id, kind, levels, servedLevel = kind === "fact" ? "full" : "summary", source } = memory;
  return { type: "memory", id, text: levels[servedLevel], score: 1, reasons: [], source, memory };
}

function render(hits: readonly RecallHit[], budget: number): string {
  let room = budget;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const text = renderMemories(hits, room)?.text ?? "";
    if (text.length <= MOST_CHARACTERS) return text;
    room = Math.floor((room * MOST_CHARACTERS) / text.length) - 8;
  }
  return "";
}
