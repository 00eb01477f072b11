import { messageOf } from "../../internal/text.ts";
import type { Message } from "../../message/message.ts";
import type { MessageLog } from "../../ports/store.ts";
import type { RecordPorts } from "./session-record.ts";

const PAGE = 200;

/**
 * Sessions with new messages in this process. When the process ends, episodes are recorded and workflows learned from
 * them, so that no turn waits for it.
 */
export class EndedSessions {
  readonly #ports: RecordPorts & { readonly messages: MessageLog };
  readonly #spoken = new Set<string>();

  constructor(ports: RecordPorts & { readonly messages: MessageLog }) {
    this.#ports = ports;
  }

  /** Marks a session as having new messages. */
  note(sessionId: string): void {
    this.#spoken.add(sessionId);
  }

  /** Erases the record of a purged session. */
  async erase(sessionId: string): Promise<void> {
    this.#spoken.delete(sessionId);
    const { eraseRecord } = await import("./session-record.ts");
    await eraseRecord(this.#ports, sessionId);
  }

  /** Records all marked sessions. Errors are logged, not thrown. */
  async end(): Promise<void> {
    if (this.#spoken.size === 0) return;
    try {
      const [{ recordSession }, { learnWorkflows }] = await Promise.all([
        import("./session-recorder.ts"),
        import("../workflows/learn-workflows.ts"),
      ]);
      for (const sessionId of this.#spoken) {
        await recordSession(this.#ports, { sessionId, messages: this.#messages(sessionId) });
      }
      await learnWorkflows(this.#ports);
    } catch (error) {
      const why = messageOf(error);
      this.#ports.logger.warn(`Could not save the episodes of the last sessions: ${why}`);
    }
    this.#spoken.clear();
  }

  async *#messages(sessionId: string): AsyncGenerator<Message> {
    const { messages, userId } = this.#ports;
    for (let from = 0; ; from += PAGE) {
      const page = await messages.list({ userId, sessionId }, { from, limit: PAGE });
      yield* page;
      if (page.length < PAGE) return;
    }
  }
}
