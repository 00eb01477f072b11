import type { FetchReply } from "./fetch-like.ts";

/** Failures that may pass: it is busy, or something on the way to it is. */
export function mayPass(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** Milliseconds that the server asks to wait: given in milliseconds, in seconds, or as a date. */
export function retryAfter({ headers }: FetchReply, now: number): number | undefined {
  const inMilliseconds = readAmount(headers.get("retry-after-ms"));
  if (inMilliseconds !== undefined) return inMilliseconds;
  const header = headers.get("retry-after");
  const inSeconds = readAmount(header);
  if (inSeconds !== undefined) return inSeconds * 1_000;
  const at = Date.parse(header ?? "");
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

function readAmount(text: string | null): number | undefined {
  return text !== null && /^\s*\d{1,9}(?:\.\d{1,9})?\s*$/.test(text) ? Number(text) : undefined;
}

/** Twice as long before each further try, and not for all at the same moment. */
export function backoff(first: number, tries: number): number {
  return first * 2 ** tries * (0.75 + Math.random() / 2);
}
