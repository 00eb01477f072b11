import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import type { Message } from "../message/message.ts";
import type { Session } from "./session.ts";
import { checkSessionOptions, type PreparedTurn, type PrepareOptions, type SessionOptions } from "./session-options.ts";

/** Opens sessions: the part of `Throughline` that a coordinator uses. */
export interface SessionSource {
  /**
   * Opens a session, or creates it.
   *
   * @param id Id of the session.
   * @param options Options of the session.
   */
  session(id: string, options?: SessionOptions): Session;
}

/**
 * Runs the context of many sessions from one place, for a server that has a session id with each request: the steps of
 * a `Session` under the names of a coordinator.
 *
 * @example
 * const coordinator = new ContextCoordinator(tl);
 * const { messages } = await coordinator.prepareContext("s1", "gpt-4o", { system: "Be brief." });
 */
export class ContextCoordinator {
  readonly #source: SessionSource;
  readonly #options: Omit<SessionOptions, "modelId">;

  /**
   * @param source Opens the sessions: the result of `createThroughline`.
   * @param options Options of `tl.session` for all sessions, without the model.
   * @throws InvalidOptionError for unknown options, values of the wrong type and unknown profiles.
   */
  constructor(source: SessionSource, options: Omit<SessionOptions, "modelId"> = {}) {
    checkSessionOptions("ContextCoordinator", options);
    this.#source = source;
    this.#options = options;
  }

  /**
   * Prepares the next model call of a session, before each reply: prunes if the window is too full, compacts if that is
   * not enough.
   *
   * @param sessionId Id of the session.
   * @param modelId Model that the messages are for.
   * @param options System prompt, budget and memories, as for `session.prepare`.
   *
   * @example
   * const { messages } = await new ContextCoordinator(tl).prepareContext("s1", "gpt-4o");
   */
  prepareContext(sessionId: string, modelId: string, options: PrepareOptions = {}): Promise<PreparedTurn> {
    return this.#source.session(sessionId, { ...this.#options, modelId }).prepare(options);
  }

  /**
   * Appends the new messages of a turn to a session.
   *
   * @param sessionId Id of the session.
   * @param messages Messages in the order of the conversation.
   *
   * @example
   * await new ContextCoordinator(tl).saveSessionData("s1", [{ role: "user", content: "Hello" }]);
   */
  async saveSessionData(sessionId: string, messages: readonly (Message | ForeignModelMessage)[]): Promise<void> {
    await this.#source.session(sessionId).append(messages);
  }

  /**
   * Masks old tool outputs of a session. Call it at the end of a turn, also after an error.
   *
   * @param sessionId Id of the session.
   * @returns whether any output was masked.
   *
   * @example
   * const wasPruned = await new ContextCoordinator(tl).pruneToolOutputs("s1");
   */
  pruneToolOutputs(sessionId: string): Promise<boolean> {
    return this.#source.session(sessionId).prune();
  }

  /**
   * Returns whether a session is being compacted, in any process. A call of `prepareContext` waits for it.
   *
   * @param sessionId Id of the session.
   *
   * @example
   * if (await new ContextCoordinator(tl).isSessionCompacting("s1")) console.log("Summarizing the conversation…");
   */
  async isSessionCompacting(sessionId: string): Promise<boolean> {
    return (await this.#source.session(sessionId).status()).isCompacting;
  }
}
