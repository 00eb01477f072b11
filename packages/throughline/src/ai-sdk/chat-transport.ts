import type { MemoryFact } from "../chat/memory-fact.ts";
import { chatRecaller } from "../chat/turn/chat-recaller.ts";
import { type ChatTurn, prepareChatTurn } from "../chat/turn/prepare-chat-turn.ts";
import { omitUndefined } from "../internal/json.ts";
import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import { toRichWindow } from "../message/to-rich-window.ts";
import type { Session } from "../session/session.ts";
import type { StreamOf } from "./sdk-types.ts";
import { trackerOf } from "./session-tracker.ts";
import { type StreamOptions, streamTurn } from "./stream-turn.ts";
import { splitSystem } from "./system-prompt.ts";
import { streamFrom, valuesOf } from "./watch-stream.ts";

/** What `streamText` gives back, as far as it is used. */
export interface UiStream<S> {
  toUIMessageStream(): S;
}

export interface ChatTransportOptions<M, S> extends StreamOptions<UiStream<S>> {
  readonly session: Session;
  /** The SDK's own: it is given, so that no copy of the SDK is imported. */
  readonly convertToModelMessages: (
    messages: M[],
  ) => PromiseLike<readonly ForeignModelMessage[]> | readonly ForeignModelMessage[];
  /** What is known of the user. It is loaded when it is needed and kept for a while; without it the chat has no memory. */
  readonly facts?: () => PromiseLike<readonly MemoryFact[]> | readonly MemoryFact[];
  /** Milliseconds for which loaded facts are kept; 30,000 where nothing is said. */
  readonly factsAge?: number;
  /** Told of each prepared turn: which memories are in it and why, how full the window is. */
  readonly onTurn?: (turn: ChatTurn) => void;
}

/** A `ChatTransport` for `useChat`, versions 6 and 7 of the SDK. */
export interface SessionChatTransport<M, S> {
  sendMessages(options: { readonly messages: M[]; readonly abortSignal?: AbortSignal | undefined }): Promise<S>;
  /** Nothing runs elsewhere that one could come back to. */
  reconnectToStream(): Promise<null>;
  /** The next message sees what is known by then. */
  refreshFacts(): void;
}

const FACTS_AGE = 30_000;

/**
 * A chat that answers where it runs: no server between the page and the model. Each message is answered from a window
 * that fits, with what is known of the user; where that cannot be loaded, without it, and the answer begins with a part
 * `data-notice` that says so.
 *
 * @example
 * const transport = chatTransport({ session, model, streamText, convertToModelMessages, facts: () => book.getSnapshot().facts });
 * const chat = useChat({ transport });
 */
export function chatTransport<M, S extends StreamOf<unknown>>(
  options: ChatTransportOptions<M, S>,
): SessionChatTransport<M, S> {
  const { session, system, convertToModelMessages, onTurn } = options;
  const facts = cached(options);
  return {
    async sendMessages({ messages, abortSignal: signal }) {
      const { others } = splitSystem(await convertToModelMessages(messages));
      await trackerOf(session).takeIn(toRichWindow(others), "messages");
      const turn = await prepareChatTurn(session, omitUndefined({ system, signal, facts: facts.load }));
      onTurn?.(turn);
      const memory = chatRecaller({ facts: facts.load });
      const stream = streamTurn(session, turn, options, omitUndefined({ signal, memory })).toUIMessageStream();
      return withNotices(stream, turn.receipt.notes.filter(isLack)) as S;
    },
    reconnectToStream: async () => null,
    refreshFacts: facts.drop,
  };
}

/** The receipt says it of memories that could not be had. */
function isLack(note: string): boolean {
  return note.startsWith("No memories");
}

/** Facts that were loaded not long ago. A load that fails is tried again with the next message. */
function cached<M, S>({
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

/** Notices stand behind the first part, which begins the message. */
function withNotices<T>(stream: StreamOf<T>, notices: readonly string[]): StreamOf<T> {
  if (notices.length === 0) return stream;
  const said = notices.map((message) => ({ type: "data-notice", data: { about: "memory", message } }) as T);
  const reader = stream.getReader();
  return streamFrom(insertBehindFirst(valuesOf(reader), said), () => reader.cancel());
}

async function* insertBehindFirst<T>(
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
