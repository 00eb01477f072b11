import type { Message } from "throughline";
import { isRecord } from "throughline/internal";

/** Throughline's tool, as agents name it: `remember`, `mcp__throughline__remember`, `throughline_remember`. */
const REMEMBER_TOOL = /^(?:\w*throughline\w*_)?remember$/;
/** The command line, for agents without the tool. */
const REMEMBER_COMMAND = /\bthroughline\b[^\n]*\sremember\s/;

/**
 * Finds the user's messages whose facts the agent saved itself, by calling `remember` in its answer. The agent judged the
 * message with the whole session in view: extracting facts from it again would double them.
 */
export class SavedMessages {
  readonly #ids = new Set<string>();
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
      if (part.type === "tool-call" && isRemember(part.toolName, part.input)) {
        this.#calls.set(part.toolCallId, this.#asked);
      } else if (part.type === "tool-result" && !part.output.type.startsWith("error")) {
        for (const asked of this.#calls.get(part.toolCallId) ?? []) this.#ids.add(asked);
      }
    }
  }

  /** True if the agent saved what this message says. */
  has(id: string): boolean {
    return this.#ids.has(id);
  }
}

function isRemember(toolName: string, input: unknown): boolean {
  if (REMEMBER_TOOL.test(toolName)) return true;
  const command = isRecord(input) ? input.command : undefined;
  return REMEMBER_COMMAND.test(Array.isArray(command) ? command.join(" ") : String(command ?? ""));
}
