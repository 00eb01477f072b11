import type { Message, Part } from "throughline";
import type { WindowPolicy } from "../policy.ts";
import { fitTail } from "./fit-tail.ts";

const PLACEHOLDER = "[Old tool output omitted]";

/** Replaces all but the newest outputs by a placeholder and keeps the calls; then as much of the end as fits. */
export function observationMasking(keep: number): WindowPolicy {
  return {
    name: `newest ${keep} outputs`,
    family: "observation masking",
    fit: async (point, budget) => fitTail(maskOutputs(point.pre, keep), budget),
  };
}

export function maskOutputs(messages: readonly Message[], keep: number): readonly Message[] {
  const results = messages.flatMap((message) => message.parts).filter((part) => part.type === "tool-result");
  const masked = new Set<Part>(results.slice(0, Math.max(0, results.length - keep)));
  return messages.map((message) => {
    if (!message.parts.some((part) => masked.has(part))) return message;
    const { tokens: _, ...rest } = message;
    return { ...rest, parts: message.parts.map((part) => (masked.has(part) ? maskOutput(part) : part)) };
  });
}

export function maskOutput(part: Part, placeholder = PLACEHOLDER): Part {
  if (part.type !== "tool-result") return part;
  const { tokens: _, ...rest } = part;
  return { ...rest, output: { type: "text", value: placeholder } };
}
