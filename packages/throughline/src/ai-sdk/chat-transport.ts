import type { MemoryFact } from "../chat/memory-fact.ts";
import { type ChatTurn, chatRecaller, prepareChatTurn } from "../chat/turn/prepare-chat-turn.ts";
import { AT_LEAST_ZERO, FUNCTION, type OptionRule, withMethods } from "../errors/check-options.ts";
import { omitUndefined } from "../internal/json.ts";
import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import { toRichWindow } from "../message/to-rich-window.ts";
import type { Session } from "../session/session.ts";
import { splitSystem } from "./prepare-step.ts";
import { trackerOf } from "./session-tracker.ts";
import { checkStreamOptions, STREAM_RULES, type StreamOf, type StreamOptions } from "./stream-settings.ts";
import { streamFrom, streamTurn, valuesOf } from "./stream-turn.ts";

/** Result of `streamText`, as far as it is used. */
export interface UiStream<S> {
  toUIMessageStream(): S;
}

export interface ChatTransportOptions<M, S> extends StreamOptions<UiStream<S>> {
  /** Session that stores the conversation. */
  readonly session: Session;
  /** The SDK's own function, passed in so that the package does not import the SDK. */
  readonly convertToModelMessages: (
    messages: M[],
  ) => PromiseLike<readonly ForeignModelMessage[]> | readonly ForeignModelMessage[];
  /** Loads the facts about the user. The result is cached. Without it the chat has no memory. */
  readonly facts?: () => PromiseLike<readonly MemoryFact[]> | readonly MemoryFact[];
  /** Cache time of loaded facts in milliseconds. Default: 30,000. */
  readonly factsAge?: number;
  /** Called for each prepared turn, with the memories in it, their reasons and the usage of the window. */
  readonly onTurn?: (turn: ChatTurn) => void;
}

const TRANSPORT_RULES: Readonly<Record<string, OptionRule>> = {
  session: withMethods("a session, such as tl.session(id)", "append", "prepare"),
  ...STREAM_RULES,
  convertToModelMessages: FUNCTION,
  facts: FUNCTION,
  factsAge: AT_LEAST_ZERO,
  onTurn: FUNCTION,
};

/** A `ChatTransport` for `useChat`, AI SDK 6 and 7. */
export interface SessionChatTransport<M, S> {
  /**
   * Answers a message of the chat. `useChat` calls it.
   *
   * @param options Messages and abort signal of the chat. Other options of `useChat` have no effect.
   */
  sendMessages(options: { readonly messages: M[]; readonly abortSignal?: AbortSignal | undefined }): Promise<S>;
  /** Always resolves to null: there is no server to reconnect to. */
  reconnectToStream(): Promise<null>;
  /** Drops the cached facts, so that the next message loads them again. */
  refreshFacts(): void;
}

const FACTS_AGE = 30_000;

/**
 * Creates a chat transport without a server between the page and the model. Each message is answered from a window that
 * fits, with facts about the user. If the facts cannot be loaded, the reply starts with a `data-notice` part and goes
 * on without them.
 *
 * @param options Session, model, functions of the AI SDK, the source of facts, and settings of `streamText`, such as
 *   `stopWhen`. Values of these settings are passed on unchecked.
 * @throws InvalidOptionError if an option is invalid, or neither known here nor a setting of `streamText`; also for
 *   `messages`, `prompt` and `instructions`, which come from the session and `system`.
 *
 * @example
 * import { convertToModelMessages, streamText, type UIMessage } from "ai";
 *
 * const transport = chatTransport({
 *   session,
 *   model,
 *   streamText,
 *   convertToModelMessages: (messages: UIMessage[]) => convertToModelMessages(messages),
 *   facts: () => [],
 * });
 */
export function chatTransport<M, S extends StreamOf<unknown>>(
  options: ChatTransportOptions<M, S>,
): SessionChatTransport<M, S> {
  checkStreamOptions("chatTransport", options, TRANSPORT_RULES);
  const { session, system, convertToModelMessages, onTurn } = options;
  const facts = cacheFacts(options);
  return {
    async sendMessages({ messages, abortSignal: signal }) {
      const { others } = splitSystem(await convertToModelMessages(messages));
      await trackerOf(session).appendNew(toRichWindow(others), "messages");
      const turn = await prepareChatTurn(session, omitUndefined({ system, signal, facts: facts.load }));
      onTurn?.(turn);
      const memory = chatRecaller({ facts: facts.load });
      const stream = streamTurn(session, turn, options, omitUndefined({ signal, memory })).toUIMessageStream();
      return withNotices(stream, turn.receipt.notes.filter(isMemoryNotice)) as S;
    },
    reconnectToStream: async () => null,
    refreshFacts: facts.drop,
  };
}

/** True for a receipt note about memories that could not be loaded. */
function isMemoryNotice(note: string): boolean {
  return note.startsWith("No memories");
}

/** Caches loaded facts. A failed load is retried with the next message. */
function cacheFacts<M, S>({
  facts = () => [],
  factsAge = FACTS_AGE,
}: ChatTransportOptions<M, S>): {
  readonly load: () => Promise<readonly MemoryFact[]>;
  readonly drop: () => void;
} {
  let kept: { readonly facts: Promise<readonly MemoryFact[]>; readonly until: number } | undefined;
  const drop = () => {
    kept = undefined;
  };
  return {
    async load() {
      if (kept === undefined || kept.until <= Date.now()) {
        const loading = Promise.resolve().then(facts);
        kept = { facts: loading, until: Date.now() + factsAge };
        loading.catch(drop);
      }
      return kept.facts;
    },
    drop,
  };
}

/** Inserts the notices after the first part, which starts the message. */
function withNotices<T>(stream: StreamOf<T>, notices: readonly string[]): StreamOf<T> {
  if (notices.length === 0) return stream;
  const parts = notices.map((message) => ({ type: "data-notice", data: { about: "memory", message } }) as T);
  const reader = stream.getReader();
  return streamFrom(insertAfterFirst(valuesOf(reader), parts), () => reader.cancel());
}

async function* insertAfterFirst<T>(
  values: AsyncIterable<T>,
  inserted: readonly T[],
): AsyncGenerator<T, void, undefined> {
  let isFirst = true;
  for await (const value of values) {
    yield value;
    if (isFirst) yield* inserted;
    isFirst = false;
  }
}
