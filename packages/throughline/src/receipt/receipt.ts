import type { Role } from "../message/message.ts";
import type { Repair } from "../message/repair/repair.ts";

/** The rule that put something into a window. */
export type ReceiptRule = "system" | "memory" | "task" | "summary" | "continuation" | "tail" | "repair";

/** One thing in the window: what it is, what it costs, and why it is there. */
export interface ReceiptItem {
  readonly rule: ReceiptRule;
  readonly role: Role;
  readonly tokens: number;
  readonly messageId: string;
  /** The messages or memories that it stands for, where it is not one itself. */
  readonly sources?: readonly string[];
  /** Why each of its memories is there, by id. */
  readonly reasons?: Readonly<Record<string, string>>;
  /** Parts whose outputs are masked, or that were cut: recall them as `part:<id>`. */
  readonly shortened?: readonly string[];
}

/** Something that did not get in, and why. */
export interface NearMiss {
  readonly messageId: string;
  readonly tokens: number;
  readonly reason: "compacted" | "trimmed";
}

/** What the provider counted for a window, in its tokens. */
export interface ReportedUsage {
  /** All of them, cached ones included. */
  readonly inputTokens: number;
  /** Those that it had in its prompt cache, and those that it put there. */
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
}

/** Why each token is in the window. */
export interface Receipt {
  readonly id: string;
  readonly sessionId: string;
  readonly createdAt: number;
  readonly modelId: string;
  readonly budget: number;
  /** As the provider will count them. */
  readonly tokens: number;
  /** By our own count, before the model's margin. */
  readonly counted: number;
  readonly items: readonly ReceiptItem[];
  readonly nearMisses: readonly NearMiss[];
  /** Under which the messages that were trimmed away can be recalled. */
  readonly handles: readonly string[];
  readonly repairs: readonly Repair[];
  /** What went differently from what was asked for, in words. */
  readonly notes: readonly string[];
  /** What the provider reported for it since. */
  readonly usage?: ReportedUsage;
}
