/** As much of `fetch` as is used: that of Node, of browsers and of workers fits, and what tests give. */
export type FetchLike = (url: string, request: FetchRequest) => Promise<FetchReply>;

export interface FetchRequest {
  readonly method: "POST";
  readonly headers: Record<string, string>;
  readonly body: string;
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

/** The runtime's own; `undefined` where it has none. */
export function runtimeFetch(): FetchLike | undefined {
  const runtime = globalThis as { readonly fetch?: FetchLike };
  // Browsers want it called on the global object.
  return runtime.fetch && ((url, request) => (runtime.fetch as FetchLike)(url, request));
}

/** The text of an answer up to so many bytes, and whether that is all of it. Nothing beyond is read. */
export async function readText(
  { body }: FetchReply,
  mostBytes: number,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  if (body === null) return { text: "", isWhole: true };
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = "";
  for (let left = mostBytes; ; ) {
    const { done, value } = await reader.read();
    if (done || value === undefined) return { text: text + decoder.decode(), isWhole: true };
    text += decoder.decode(value.subarray(0, left), { stream: true });
    left -= value.length;
    if (left < 0) break;
  }
  // Nobody waits for it to stop.
  reader.cancel().catch(() => undefined);
  return { text, isWhole: false };
}
