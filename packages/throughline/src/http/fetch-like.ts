/** The subset of `fetch` that is used. The `fetch` of Node, browsers and workers matches it. */
export type FetchLike = (url: string, request: FetchRequest) => Promise<FetchReply>;

export interface FetchRequest {
  readonly method: "GET" | "POST";
  readonly headers: Record<string, string>;
  /** Missing for `GET`. */
  readonly body?: string;
  readonly redirect: "manual";
  readonly signal: AbortSignal;
}

export interface FetchReply {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: { getReader(): ReplyReader } | null;
}

interface ReplyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** The runtime's `fetch`; `undefined` if there is none. */
export function runtimeFetch(): FetchLike | undefined {
  const runtime = globalThis as { readonly fetch?: FetchLike };
  // Browsers require the global object as `this`.
  return runtime.fetch && ((url, request) => (runtime.fetch as FetchLike)(url, request));
}

/** Reads the text of a response up to a number of bytes, and if that was all of it. Stops reading beyond. */
export async function readText(
  { body }: FetchReply,
  maxBytes: number,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  if (body === null) return { text: "", isWhole: true };
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = "";
  for (let left = maxBytes; ; ) {
    const { done, value } = await reader.read();
    if (done || value === undefined) return { text: text + decoder.decode(), isWhole: true };
    text += decoder.decode(value.subarray(0, left), { stream: true });
    left -= value.length;
    if (left < 0) break;
  }
  // Does not wait for the cancellation.
  reader.cancel().catch(() => undefined);
  return { text, isWhole: false };
}
