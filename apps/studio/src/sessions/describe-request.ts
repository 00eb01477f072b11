import type { SessionReport } from "throughline/internal/inspect";
import { sessionsCopy as copy } from "../copy/sessions.ts";
import { LOSS_NAMES, number, short } from "../inspector/copy.ts";

/** Texts about a request in the list of requests. */
export interface Request {
  readonly time: string;
  readonly size: string;
  readonly cache: string;
  readonly added: string;
  readonly text: string;
  readonly lost: string;
}

/** Describes a request: its size, its prompt cache, and the messages since the request before. */
export function describeRequest({ calls, messages, compactions }: SessionReport, call: number): Request {
  const { message = 0, at, cache } = calls[call] ?? {};
  const added = messages.slice(calls[call - 1]?.message ?? 0, message);
  const said = added.findLast(({ role, text }) => role === "user" && text !== "") ?? added.at(-1);
  const isCut = compactions.some((one) => one.call === call);
  return {
    time: at === undefined ? "" : new Date(at).toLocaleTimeString(undefined, { timeStyle: "short" }),
    size: describeSize(calls, call),
    cache: cache === undefined ? "" : copy.requests.cache(short(cache.read), short(cache.written)),
    added: [isCut && copy.requests.compacted, countKinds(added)].filter(Boolean).join(", "),
    text: said?.text.slice(0, 200) ?? "",
    lost: cache?.lost === undefined ? "" : copy.requests.lost(short(cache.lost.tokens), LOSS_NAMES[cache.lost.cause]),
  };
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${number(Math.abs(value))}`;
}

/** The size that the provider reported, or else our count, with the change since the call before. */
function describeSize(calls: SessionReport["calls"], call: number): string {
  const { tokens = 0, reported } = calls[call] ?? {};
  const before = calls[call - 1];
  if (reported === undefined) return copy.requests.size(number(tokens), signed(tokens - (before?.tokens ?? 0)));
  const change = reported - (before?.reported ?? before?.tokens ?? 0);
  return copy.requests.reported(number(reported), signed(change), number(tokens));
}

/** Counts messages by role. A message of tool calls alone is no reply. */
function countKinds(messages: SessionReport["messages"]): string {
  const roles = Map.groupBy(
    messages.filter(({ isOnlyCalls }) => isOnlyCalls !== true),
    ({ role }) => role,
  );
  const toolCalls = messages.reduce((sum, one) => sum + (one.toolCalls ?? 0), 0);
  const kinds = [...roles].map(([role, own]) => copy.requests.added(role, own.length));
  return [...(toolCalls > 0 ? [copy.requests.toolCalls(toolCalls)] : []), ...kinds].join(", ");
}
