import type { Message } from "../message/message.ts";
import type { Part } from "../message/part.ts";

/** Option names that tie a part to the reply it came with. */
const BINDING_OPTION = /signature|redacted|encrypted|^itemId$|^reasoning_details$/i;

/** True if a provider signed the part or stores it as an item. Providers refuse such a part if it was changed. */
export function isSigned(part: Part): boolean {
  return hasOption(part, (name) => BINDING_OPTION.test(name));
}

/**
 * Returns the parts that must stay unchanged or be dropped with their whole reply: signed reasoning next to calls, and
 * calls that a signature or an approval covers.
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

/** Parts of each run of assistant messages: reasoning may be in a message before its call. */
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

/** Reasoning without a signature may be removed on its own. */
function isReasoning({ type }: Part): boolean {
  return type === "reasoning" || type === "reasoning-file";
}

/** True for an item that the provider stores. Providers refuse calls and texts of its reply without it. */
function isItem(part: Part): boolean {
  return hasOption(part, (name) => name === "itemId");
}

function hasOption({ providerOptions = {} }: Part, fits: (name: string) => boolean): boolean {
  return Object.values(providerOptions).some((options) =>
    Object.entries(options ?? {}).some(([name, value]) => fits(name) && value !== undefined && value !== null),
  );
}
