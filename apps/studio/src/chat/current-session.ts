import type { Session, Throughline } from "throughline";
import { type ChatTurn, type CompactionStatus, CompactionTracker, chatSessionOptions } from "throughline/chat";
import type { ChatModel } from "../models/chat-model.ts";
import type { WindowUse } from "./chat-state.ts";

/** Measures the window without a model as for a small one. Tokens are counted by the prefix of the name. */
export const NO_MODEL = { choiceId: "", modelId: "gpt-4o-no-model", contextLimit: 8_192 };

interface CurrentSessionDeps {
  readonly throughline: () => Throughline;
  readonly model: () => ChatModel | undefined;
}

/** A change of any of these opens the session again. */
interface OpenSettings {
  readonly throughline: Throughline;
  readonly sessionId: string;
  readonly choiceId: string;
  readonly modelId: string;
  readonly contextLimit: number;
}

/** The session of a chat for the current model. Another model opens it again. */
export class CurrentSession {
  readonly #deps: CurrentSessionDeps;
  readonly #onStatus: (status: CompactionStatus) => void;
  #open: { readonly session: Session; readonly settings: OpenSettings } | undefined;
  #tracker: CompactionTracker | undefined;
  #stopListening: () => void = () => undefined;

  constructor(deps: CurrentSessionDeps, onStatus: (status: CompactionStatus) => void) {
    this.#deps = deps;
    this.#onStatus = onStatus;
  }

  get contextLimit(): number {
    return (this.#deps.model() ?? NO_MODEL).contextLimit;
  }

  /** Tokens reserved for the answer. */
  get replyReserve(): number {
    return chatSessionOptions(this.contextLimit).outputReserve;
  }

  /** The usage of an empty window. */
  get emptyUse(): WindowUse {
    const { contextLimit: limit, replyReserve: reply } = this;
    const parts = { system: 0, memory: 0, summary: 0, history: 0, message: 0, reply, free: limit - reply };
    return { limit, used: 0, parts };
  }

  /** Follows the compactions of the session, and the memories that turns had to leave out. */
  get tracker(): CompactionTracker | undefined {
    return this.#tracker;
  }

  open(sessionId: string): Session {
    const { choiceId, modelId } = this.#deps.model() ?? NO_MODEL;
    const { contextLimit } = this;
    const throughline = this.#deps.throughline();
    const settings = { throughline, sessionId, choiceId, modelId, contextLimit };
    if (this.#open !== undefined && areSame(this.#open.settings, settings)) return this.#open.session;
    this.#stopListening();
    const session = throughline.session(sessionId, { modelId, ...chatSessionOptions(contextLimit) });
    const tracker = new CompactionTracker(session);
    this.#stopListening = tracker.subscribe(() => this.#onStatus(tracker.getSnapshot()));
    this.#tracker = tracker;
    this.#open = { session, settings };
    return session;
  }

  /**
   * Stops following the session, when its chat is closed for good. The session stays open without a listener for work
   * that is still ending: a new listener would never be removed.
   */
  close(): void {
    this.#stopListening();
  }
}

function areSame(a: OpenSettings, b: OpenSettings): boolean {
  return (Object.keys(a) as (keyof OpenSettings)[]).every((name) => a[name] === b[name]);
}

/** From here on, in percent of the window, a turn is near the threshold. */
const NEAR_THRESHOLD = 70;

/** Logs the effect of a turn on the window, for developers. */
function describeTurn(
  { stage, tokens, wasCompacted, receipt, reducedMemories }: ChatTurn,
  limit: number,
): readonly string[] {
  const percent = Math.round((tokens.final / limit) * 100);
  const trimmed = receipt.nearMisses.filter(({ reason }) => reason === "trimmed").length;
  const cut = receipt.items.reduce((sum, { shortened = [] }) => sum + shortened.length, 0);
  return [
    ...(stage === "none" ? [] : [`Compaction (${stage}): ${tokens.before} → ${tokens.final} tokens.`]),
    ...(wasCompacted ? ["Earlier messages were summarized."] : []),
    ...(trimmed > 0 || cut > 0 ? [`Trimmed: ${trimmed} messages left out, ${cut} parts cut.`] : []),
    ...(reducedMemories > 0 ? [`Memories: ${reducedMemories} left out of the prompt.`] : []),
    ...(percent >= NEAR_THRESHOLD ? [`The window is ${percent}% full; at 80% earlier messages are summarized.`] : []),
  ];
}

/** Logs the outcome of a turn, in development only. */
export function logTurn(turn: ChatTurn, limit: number): void {
  if (!import.meta.env?.DEV) return;
  for (const line of describeTurn(turn, limit)) console.debug(`[throughline] ${line}`);
}
