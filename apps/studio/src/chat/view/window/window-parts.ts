import { chatCopy } from "../../../copy/chat.ts";
import type { WindowUse } from "../../chat.ts";

type PartName = keyof WindowUse["parts"];

/** One part of the window. */
export interface WindowPart {
  readonly name: PartName;
  readonly label: string;
  readonly tokens: number;
  /** Of the whole window, from 0 to 1. */
  readonly share: number;
}

const NAMES: readonly PartName[] = ["system", "memory", "summary", "history", "message", "reply", "free"];

/** The parts of the window in the order in which they are sent. */
export function windowParts({ limit, parts }: WindowUse): readonly WindowPart[] {
  return NAMES.map((name) => {
    const tokens = parts[name];
    return { name, label: chatCopy.context.parts[name], tokens, share: shareOf(tokens, limit) };
  });
}

/** How full the window is in whole percent: 100 only when it is full, and 0 only when it is empty. */
export function percentUsed({ used, limit }: Pick<WindowUse, "used" | "limit">): number {
  const percent = shareOf(used, limit) * 100;
  if (percent >= 100) return 100;
  return percent === 0 ? 0 : Math.min(99, Math.max(1, Math.round(percent)));
}

/** 0.384 → "38.4%" */
export function formatShare(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

function shareOf(tokens: number, limit: number): number {
  return limit > 0 ? Math.min(1, Math.max(0, tokens / limit)) : 0;
}
