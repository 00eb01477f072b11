import { StoreError } from "../../errors/store-errors.ts";
import { isRecord } from "../../internal/json.ts";
import type { SessionKey, SessionNotifications } from "../../ports/store.ts";
import { frozenCopy } from "../frozen-copy.ts";

type Listener = (notification: unknown) => void;

/** Message to all other stores on the same database, in this tab and others. */
type TabMessage =
  | { readonly kind: "wrote"; readonly tab: string }
  | { readonly kind: "notification"; readonly topic: string; readonly notification: unknown };

/** Id of this tab: stores in one tab do not notify each other about writes. */
const TAB = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");

/** Messages between tabs. Without `BroadcastChannel` only this tab receives them. */
export class Tabs implements SessionNotifications {
  readonly #name: string;
  readonly #writes = new Set<{ readonly listener: () => void }>();
  readonly #subscriptions = new Map<string, Set<{ readonly listener: Listener }>>();
  #channel: BroadcastChannel | undefined;
  #isClosed = false;

  constructor(database: string) {
    this.#name = `throughline ${database}`;
  }

  /** Notifies other tabs about a write. */
  notifyWrite(): void {
    this.#send({ kind: "wrote", tab: TAB });
  }

  onOtherTab(listener: () => void): () => void {
    const subscription = { listener };
    this.#writes.add(subscription);
    this.#open();
    return () => void this.#writes.delete(subscription);
  }

  async publish(key: SessionKey, notification: unknown): Promise<void> {
    this.#refuseClosed();
    const message = { kind: "notification", topic: topicOf(key), notification: frozenCopy(notification) } as const;
    this.#send(message);
    // A channel does not receive its own messages.
    this.#receive(message);
  }

  async subscribe(key: SessionKey, listener: Listener): Promise<() => Promise<void>> {
    this.#refuseClosed();
    const [topic, subscription] = [topicOf(key), { listener }];
    this.#subscriptions.set(topic, (this.#subscriptions.get(topic) ?? new Set()).add(subscription));
    this.#open();
    return async () => {
      const subscriptions = this.#subscriptions.get(topic);
      subscriptions?.delete(subscription);
      if (subscriptions?.size === 0) this.#subscriptions.delete(topic);
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#writes.clear();
    this.#subscriptions.clear();
    this.#channel?.close();
    this.#channel = undefined;
  }

  #open(): BroadcastChannel | undefined {
    if (this.#isClosed || this.#channel !== undefined || typeof BroadcastChannel === "undefined") return this.#channel;
    this.#channel = new BroadcastChannel(this.#name);
    this.#channel.onmessage = ({ data }) => {
      if (isTabMessage(data)) this.#receive(data);
    };
    return this.#channel;
  }

  #send(message: TabMessage): void {
    this.#open()?.postMessage(message);
  }

  #receive(message: TabMessage): void {
    if (message.kind === "wrote") {
      if (message.tab !== TAB) for (const { listener } of this.#writes) queueMicrotask(listener);
      return;
    }
    for (const { listener } of this.#subscriptions.get(message.topic) ?? []) {
      // Each listener gets its own copy, and one that throws does not affect others.
      const notification = structuredClone(message.notification);
      queueMicrotask(() => listener(notification));
    }
  }

  #refuseClosed(): void {
    if (this.#isClosed) throw new StoreError("closed", "The store is closed.");
  }
}

/** Any script of the same origin may send on the channel. */
function isTabMessage(data: unknown): data is TabMessage {
  return isRecord(data) && (data.kind === "wrote" || (data.kind === "notification" && typeof data.topic === "string"));
}

function topicOf({ userId, sessionId }: SessionKey): string {
  return JSON.stringify([userId, sessionId]);
}
