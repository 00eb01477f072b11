import type { Message, Session } from "throughline";
import { hasProblem } from "../app/open-persistence.ts";
import { attachmentParts } from "./attachments.ts";
import type { ChatDeps, SendOptions } from "./chat-state.ts";
import { type MessageNotes, withNotes } from "./message-notes.ts";

/** A message to store. */
export interface NewMessage {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly error?: Message["error"];
  readonly notes?: MessageNotes;
  readonly attachments?: SendOptions["attachments"];
}

interface HistoryPorts {
  readonly session: () => Session;
  readonly sessionId: () => string;
}

/** The stored messages of the shown version of a conversation. */
export class ChatHistory {
  readonly #deps: Pick<ChatDeps, "now" | "spill" | "partials">;
  readonly #ports: HistoryPorts;
  #messages: readonly Message[] = [];

  constructor(deps: Pick<ChatDeps, "now" | "spill" | "partials">, ports: HistoryPorts) {
    this.#deps = deps;
    this.#ports = ports;
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** Reloads the messages, with the partial answer of a closed tab. */
  async load(): Promise<void> {
    this.#messages = await this.#ports.session().history();
    const partial = await this.#deps.partials?.take(this.#ports.sessionId());
    const last = this.#messages.at(-1);
    if (partial === undefined || last === undefined || partial.afterId !== last.id || partial.text.trim() === "")
      return;
    const { id, text, reasoning } = partial;
    const error = { name: "interrupted", message: "", aborted: true };
    const notes = { reasoning, ...(last.role === "assistant" && { continues: last.id }) };
    await this.append({ id, role: "assistant", text, error, notes });
  }

  /** Stores a message. If the device is full, the chat continues in the tab. */
  async append({ id, role, text, error, notes = {}, attachments = [] }: NewMessage): Promise<Message> {
    const words = text === "" && attachments.length > 0 ? [] : [{ id: `${id}.0`, type: "text" as const, text }];
    const parts = [...words, ...attachmentParts(attachments, id)];
    const noted = { ...withNotes(notes), ...(error !== undefined && { error }) };
    const sessionId = this.#ports.sessionId();
    const message: Message = { id, sessionId, role, parts, createdAt: this.#deps.now(), ...noted };
    try {
      await this.#ports.session().append([message]);
    } catch (problem) {
      if (!hasProblem(problem, "full")) throw problem;
      this.#deps.spill();
      await this.#ports.session().append([...this.#messages, message]);
    }
    this.#messages = [...this.#messages, message];
    return message;
  }
}
