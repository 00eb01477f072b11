import type { IngestMessage, MemoryService, Message } from "throughline";
import { readCall, readSpeech, simpleCommands } from "throughline/internal/engine";
import { isErrorOutput, isRecord, omitUndefined, toolOutputText } from "throughline/internal/util";

/** Messages per step; an import can be stopped between steps. */
const BATCH = 50;

/** Counts of stored utterances and facts. */
export interface IngestCounts {
  /** New utterances. */
  turns: number;
  /** Facts that were new; also those merged and replaced. */
  added: number;
  merged: number;
  replaced: number;
}

export function noIngestCounts(): IngestCounts {
  return { turns: 0, added: 0, merged: 0, replaced: 0 };
}

export function sumIngestCounts(tallies: readonly IngestCounts[]): IngestCounts {
  const sum = noIngestCounts();
  for (const counts of tallies)
    for (const name of Object.keys(sum) as (keyof IngestCounts)[]) sum[name] += counts[name];
  return sum;
}

interface IngestOptions {
  /** From the messages that the agent saved itself, no facts are extracted. */
  readonly saved: SavedMessages;
  readonly signal: AbortSignal;
}

/** An utterance of a session. It may be a fact that the agent saved itself. */
export type Utterance = Omit<IngestMessage, "extract"> & { readonly id: string };

/** Stores the utterances of messages, each only once. */
export function ingestMessages(
  memory: Pick<MemoryService, "ingest" | "get">,
  sessionId: string,
  messages: readonly Message[],
  options: IngestOptions,
): Promise<IngestCounts> {
  return ingestUtterances(memory, sessionId, utterancesOf(messages), options);
}

/** Stores utterances of a session, each only once. */
export async function ingestUtterances(
  memory: Pick<MemoryService, "ingest" | "get">,
  sessionId: string,
  utterances: readonly Utterance[],
  { saved, signal }: IngestOptions,
): Promise<IngestCounts> {
  const known = await saved.among(utterances, memory);
  const counts = noIngestCounts();
  for (let at = 0; at < utterances.length; at += BATCH) {
    signal.throwIfAborted();
    const batch = utterances.slice(at, at + BATCH).map((one) => ({ ...one, extract: !known.has(one.id) }));
    const { turns, memories } = await memory.ingest({ sessionId, messages: batch, signal });
    counts.turns += turns.length;
    for (const { outcome } of memories) counts[outcome] += 1;
  }
  return counts;
}

/** The text of messages. */
export function utterancesOf(messages: readonly Message[]): readonly Utterance[] {
  return messages.flatMap((message) => {
    const { id, role, createdAt } = message;
    const text = readSpeech(message);
    // A time of 0 means unknown.
    return text === "" ? [] : [omitUndefined({ id, role, text, at: createdAt === 0 ? undefined : createdAt })];
  });
}

/**
 * Throughline's tool, as agents name it: `mcp__throughline__remember`, `throughline_remember`, `throughline-remember`.
 */
const REMEMBER_TOOL = /^(?:mcp__?)?throughline(?:__?|-)remember$/;
/** The command line, by name or path. npx may add a version. */
const PROGRAM = /(?:^|[\\/])(?:throughline(?:\.cmd|\.exe|@[\w.-]+)?|@throughline\/cli(?:@[\w.-]+)?|bin\.[jt]s)$/;
const NODE = /(?:^|[\\/])node(?:\.exe)?$/;
const MEMORY_ID = /\bmem_\w+/;

/**
 * Finds the user's messages whose facts the agent saved itself, by calling `remember` in its answer. The agent judged the
 * message with the whole session in view: extracting facts from it again would double them.
 */
export class SavedMessages {
  /** Ids of the user's messages, and of the memories that the agent saved in answer to them. */
  readonly #memories = new Map<string, string[]>();
  /** The user's messages that the agent is answering, and the calls of `remember` in its answer. */
  #asked: readonly string[] = [];
  #isAnswered = false;
  readonly #calls = new Map<string, readonly string[]>();

  /** Reads the next message of the session. */
  add({ id, role, parts }: Message): void {
    if (role === "user" && parts.some(({ type }) => type === "text")) {
      this.#asked = this.#isAnswered ? [id] : [...this.#asked, id];
      this.#isAnswered = false;
    }
    if (role === "assistant") this.#isAnswered = true;
    for (const part of parts) {
      if (part.type === "tool-call" && isRemember(part)) {
        this.#calls.set(part.toolCallId, this.#asked);
      } else if (part.type === "tool-result" && !isErrorOutput(part.output)) {
        const asked = this.#calls.get(part.toolCallId);
        if (asked !== undefined) this.#note(asked, toolOutputText(part.output));
      }
    }
  }

  /** The first id in the answer is that of the saved memory; those of related ones follow. */
  #note(asked: readonly string[], answer: string): void {
    const memoryId = MEMORY_ID.exec(answer)?.[0];
    if (memoryId === undefined) return;
    for (const id of asked) this.#memories.set(id, [...(this.#memories.get(id) ?? []), memoryId]);
  }

  /**
   * The ids of those messages that the agent saved memories of. Memories that are not in this store, such as those of
   * another machine, do not count.
   */
  async among(
    messages: readonly Pick<Message, "id">[],
    memory: Pick<MemoryService, "get">,
  ): Promise<ReadonlySet<string>> {
    const saved = messages.flatMap(({ id }) => (this.#memories.get(id) ?? []).map((memoryId) => ({ id, memoryId })));
    if (saved.length === 0) return new Set();
    const found = await memory.get([...new Set(saved.map(({ memoryId }) => memoryId))]);
    const stored = new Set(found.map(({ id }) => id));
    return new Set(saved.flatMap(({ id, memoryId }) => (stored.has(memoryId) ? [id] : [])));
  }
}

function isRemember(call: { readonly toolName: string; readonly input: unknown }): boolean {
  const { toolName, input } = call;
  if (REMEMBER_TOOL.test(toolName)) return true;
  // Cline and Roo Code have one tool for all servers.
  if (toolName === "use_mcp_tool") {
    return isRecord(input) && input.server_name === "throughline" && input.tool_name === "remember";
  }
  const script = readCall(call).shell?.text ?? "";
  return script.includes("remember") && simpleCommands(script).some(({ words }) => isRememberCommand(words));
}

/** True for the program with the subcommand `remember`, also behind `--data FOLDER`. */
function isRememberCommand(words: readonly string[]): boolean {
  const [program = "", ...args] = NODE.test(words[0] ?? "") ? words.slice(1) : words;
  if (!PROGRAM.test(program)) return false;
  return args.find((word, at) => !word.startsWith("-") && args[at - 1] !== "--data") === "remember";
}
