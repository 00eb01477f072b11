import { digest } from "../internal/digest.ts";
import { isRecord, type JsonRecord } from "../internal/json.ts";
import { isSecretName } from "./hide-secrets.ts";
import type { CallKind, Tape, TapedCall } from "./tape.ts";
import { toTape } from "./tape-json.ts";

/** What is asked, as it is compared: all that makes the answer what it is, and nothing of how it is sent. */
export interface DescribedRequest {
  readonly call: CallKind;
  readonly hash: string;
  readonly request: JsonRecord;
}

/** Lists that are long, and much the same from call to call. */
const SHARED = ["prompt", "tools"];

/** Headers carry keys, and a signal is not asked for anything. */
export function describeRequest(call: CallKind, options: unknown, hide: (text: string) => string): DescribedRequest {
  const { headers: _, abortSignal: __, signal: ___, ...asked } = isRecord(options) ? options : {};
  const plain = {
    ...asked,
    ...("providerOptions" in asked && { providerOptions: withoutKeys(asked.providerOptions) }),
  };
  const request = toTape(plain, hide) as JsonRecord;
  return { call, hash: hashOf(call, request), request };
}

export function hashOf(call: CallKind, request: JsonRecord): string {
  return digest({ call, request });
}

/** Options for a provider, stars where a name says that a key follows. */
function withoutKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutKeys);
  if (!isRecord(value)) return value;
  const hidden = (name: string, field: unknown) =>
    typeof field === "string" && isSecretName(name) ? "*".repeat(8) : withoutKeys(field);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, hidden(name, field)]));
}

/** The request with the numbers of its messages and tools, which are put on the tape where they are new. */
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

/** The request as it was asked. A number without a message becomes `undefined`, and the hash tells. */
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

/** Where each message stands, by its hash. */
function placesOf(tape: Tape): Map<string, number> {
  const known = places.get(tape) ?? new Map(tape.messages.map((message, at) => [digest(message), at]));
  places.set(tape, known);
  return known;
}
