import { type ModelMessage, pruneMessages } from "ai";
import type { Message } from "throughline";
import { convertModelToRich, convertRichToModel } from "throughline/messages";
import type { WindowPolicy } from "../policy.ts";
import { fitTail } from "./fit-tail.ts";

export type PruneSettings = Omit<Parameters<typeof pruneMessages>[0], "messages">;

/** The AI SDK's `pruneMessages`, then as much of the end as fits, because it has no budget. */
export function aiSdkPrune(settings: PruneSettings): WindowPolicy {
  return {
    name: `reasoning ${settings.reasoning ?? "none"}, calls ${settings.toolCalls ?? "none"}`,
    family: "AI SDK pruneMessages + tail",
    fit: async (point, budget) => fitTail(pruneByAiSdk(point.pre, settings), budget),
  };
}

export function pruneByAiSdk(messages: readonly Message[], settings: PruneSettings): readonly Message[] {
  const pruned = pruneMessages({ ...settings, messages: convertRichToModel(messages) as ModelMessage[] });
  return convertModelToRich(pruned);
}
