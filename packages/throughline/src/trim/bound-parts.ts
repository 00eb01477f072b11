import type { Message } from "../message/message.ts";
import type { Part } from "../message/part.ts";

/** The names under which providers keep what binds a part to the reply that it came with. */
const BINDING_OPTION = /signature|redacted|encrypted|^itemId$|^reasoning_details$/i;

/** Whether a provider signed the part, or knows it as an item of its own: changed, it would be refused. */
export function isSigned(part: Part): boolean {
  return hasOption(part, (name) => BINDING_OPTION.test(name));
}

/**
 * Parts that stay as they are or leave with their whole reply: signed reasoning beside calls, which providers refuse
 * without it, and calls that a signature or an approval binds.
 */
export function boundParts(messages: readonly Message[]): ReadonlySet<Part> {
  const approved = new Set(
    messages.flatMap(({ parts }) => parts.flatMap((p) => (p.type === "tool-approval-request" ? [p.toolCallId] : []))),
  );
  const isBoundCall = (part: Part) => part.type === "tool-call" && (approved.has(part.toolCallId) || isSigned(part));
  return new Set(
    replies(messages).flatMap((parts) => {
      const hasCalls = parts.some((part) => part.type === "tool-call");
      const isWhole = parts.some((part) => isReasoning(part) && isSigned(part) && (hasCalls || isItem(part)));
      return parts.filter((part) => isBoundCall(part) || (isWhole && isSigned(part)));
    }),
  );
}

/** The parts of each run of the assistant's messages: reasoning may stand in a message before its call. */
function replies(messages: readonly Message[]): Part[][] {
  const runs: Part[][] = [];
  messages.forEach(({ role, parts }, index) => {
    if (role !== "assistant") return;
    const run = messages[index - 1]?.role === "assistant" ? runs.at(-1) : undefined;
    if (run === undefined) runs.push([...parts]);
    else run.push(...parts);
  });
  return runs;
}

/** Thoughts of the model; without a signature they may leave alone. */
function isReasoning({ type }: Part): boolean {
  return type === "reasoning" || type === "reasoning-file";
}

/** An item that the provider stores: what came with it is refused without it, be it a call or a text. */
function isItem(part: Part): boolean {
  return hasOption(part, (name) => name === "itemId");
}

function hasOption({ providerOptions = {} }: Part, fits: (name: string) => boolean): boolean {
  return Object.values(providerOptions).some((options) =>
    Object.entries(options ?? {}).some(([name, value]) => fits(name) && value !== undefined && value !== null),
  );
}
