import type { Readable, Writable } from "node:stream";
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  ReadBuffer,
  type RequestId,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { isRecord } from "throughline/internal/util";

/**
 * JSON-RPC messages in lines, over two streams. When the input ends, or `end` is called, it accepts no more messages
 * but still sends all outstanding answers, which the SDK's own transport would drop.
 */
export class AnsweringTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Called with the name of the client when it connects. */
  onclient?: (name: string) => void;
  /** Resolves when the input has ended and everything is answered, or after the timeout. */
  readonly closed: Promise<void>;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #timeout: number;
  readonly #buffer = new ReadBuffer();
  readonly #unanswered = new Set<RequestId>();
  #settle: () => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  #state: "open" | "ending" | "closed" = "open";

  /** @param timeout milliseconds for outstanding answers after the input has ended */
  constructor(input: Readable, output: Writable, timeout: number) {
    this.#input = input;
    this.#output = output;
    this.#timeout = timeout;
    this.closed = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  async start(): Promise<void> {
    this.#input.on("data", this.#take);
    this.#input.on("error", this.#fail);
    this.#input.once("end", this.end);
    this.#input.once("close", this.end);
    if (this.#input.readableEnded || this.#input.destroyed) this.end();
  }

  /** Accepts no more messages, and closes when all are answered. */
  readonly end = (): void => {
    if (this.#state !== "open") return;
    this.#state = "ending";
    this.#input.off("data", this.#take);
    this.#input.pause();
    this.#timer = setTimeout(() => this.close(), this.#timeout);
    this.#closeWhenAnswered();
  };

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#state === "closed") return;
    await new Promise<void>((resolve, reject) => {
      this.#output.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
    });
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) this.#answered(message.id);
  }

  async close(): Promise<void> {
    if (this.#state === "closed") return;
    this.#state = "closed";
    clearTimeout(this.#timer);
    this.#input.off("data", this.#take);
    this.#input.pause();
    this.#settle();
    this.onclose?.();
  }

  readonly #take = (chunk: Buffer): void => {
    try {
      this.#buffer.append(chunk);
    } catch (error) {
      // An unterminated message.
      this.#fail(error);
      this.close();
      return;
    }
    for (let isMore = true; isMore; ) isMore = this.#next();
  };

  /** Delivers one message; `false` if there is no complete one. */
  #next(): boolean {
    try {
      const message = this.#buffer.readMessage();
      if (message === null) return false;
      this.#note(message);
      this.onmessage?.(message);
    } catch (error) {
      // An invalid line; the next one may be valid.
      this.#fail(error);
    }
    return true;
  }

  #note(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message) && message.method === "initialize") this.#greet(message.params?.clientInfo);
    // A subscription is answered only when it ends.
    if (isJSONRPCRequest(message) && message.method !== "subscriptions/listen") this.#unanswered.add(message.id);
    // Canceled requests get no answer.
    if (isJSONRPCNotification(message) && message.method === "notifications/cancelled") {
      this.#answered(message.params?.requestId as RequestId | undefined);
    }
  }

  #greet(client: unknown): void {
    if (isRecord(client) && typeof client.name === "string") this.onclient?.(client.name);
  }

  #answered(id: RequestId | undefined): void {
    if (id !== undefined) this.#unanswered.delete(id);
    this.#closeWhenAnswered();
  }

  #closeWhenAnswered(): void {
    if (this.#state === "ending" && this.#unanswered.size === 0) this.close();
  }

  readonly #fail = (error: unknown): void => {
    this.onerror?.(error instanceof Error ? error : new Error(String(error)));
  };
}
