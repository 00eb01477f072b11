import { isSecretName } from "../http/redact-secrets.ts";
import { digest, isRecord, type JsonRecord } from "../internal/json.ts";
import type { CallKind, Tape, TapedCall } from "./tape.ts";
import { toTape } from "./tape-json.ts";

/** A request in comparable form: everything that influences the answer, without transport details. */
export interface DescribedRequest {
  readonly call: CallKind;
  readonly hash: string;
  readonly request: JsonRecord;
}

/** Long lists that hardly change from call to call. */
const SHARED = ["prompt", "tools"];

/** Drops headers, which carry keys, and abort signals. */
export function describeRequest(call: CallKind, options: unknown, hide: (text: string) => string): DescribedRequest {
  const { headers: _, abortSignal: __, signal: ___, ...recorded } = isRecord(options) ? options : {};
  const plain = {
    ...recorded,
    ...("providerOptions" in recorded && { providerOptions: withoutKeys(recorded.providerOptions) }),
  };
  const request = toTape(plain, hide) as JsonRecord;
  return { call, hash: hashOf(call, request), request };
}

export function hashOf(call: CallKind, request: JsonRecord): string {
  return digest({ call, request });
}

/** Redacts option values whose names suggest a secret. */
function withoutKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutKeys);
  if (!isRecord(value)) return value;
  const hidden = (name: string, field: unknown) =>
    typeof field === "string" && isSecretName(name) ? "*".repeat(8) : withoutKeys(field);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, hidden(name, field)]));
}

/** Replaces messages and tools with their indices on the tape, and adds new ones to it. */
export function shareMessages(tape: Tape, request: JsonRecord): JsonRecord {
  const known = placesOf(tape);
  const place = (message: unknown) => {
    const hash = digest(message);
    const at = known.get(hash) ?? tape.messages.push(message) - 1;
    known.set(hash, at);
    return at;
  };
  return mapShared(request, place);
}

/** Restores the request. A missing message becomes `undefined`, which changes the hash. */
export function openMessages({ messages }: Tape, { request }: TapedCall): JsonRecord {
  return mapShared(request, (at) => (typeof at === "number" ? messages[at] : undefined));
}

function mapShared(request: JsonRecord, change: (item: unknown) => unknown): JsonRecord {
  const changed = SHARED.flatMap((name) => {
    const list = request[name];
    return Array.isArray(list) ? [[name, list.map(change)]] : [];
  });
  return { ...request, ...Object.fromEntries(changed) };
}

const places = new WeakMap<Tape, Map<string, number>>();

/** Hash of a message → its index. */
function placesOf(tape: Tape): Map<string, number> {
  const known = places.get(tape) ?? new Map(tape.messages.map((message, at) => [digest(message), at]));
  places.set(tape, known);
  return known;
}
