import type { MemoryService, Message } from "throughline";
import { readCall, simpleCommands } from "throughline/internal/engine";
import { isErrorOutput, isRecord, toolOutputText } from "throughline/internal/util";

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
    memory: Pick<MemoryService, "getAll">,
  ): Promise<ReadonlySet<string>> {
    const saved = messages.flatMap(({ id }) => (this.#memories.get(id) ?? []).map((memoryId) => ({ id, memoryId })));
    if (saved.length === 0) return new Set();
    const found = await memory.getAll([...new Set(saved.map(({ memoryId }) => memoryId))]);
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
