import type { Message } from "../message/message.ts";
import type { Part, ToolResultPart } from "../message/part.ts";
import { type CompactionConfig, DEFAULT_COMPACTION_CONFIG } from "../overflow/compaction-config.ts";
import { type CountOptions, countPartTokens } from "../tokens/count-message.ts";
import { findStaleOutputs } from "./find-stale-outputs.ts";
import { maskOutput } from "./mask-output.ts";

/** A window after its pruning. */
export interface PruneResult {
  readonly messages: readonly Message[];
  readonly outputsPruned: number;
  readonly tokensSaved: number;
  /** The names of the tools whose outputs were masked. */
  readonly prunedTools: readonly string[];
  /** The masked parts by their ids. */
  readonly masked: ReadonlyMap<string, ToolResultPart>;
}

/** How a pruning counts, and when it happens. */
export interface PruneOptions extends CountOptions {
  /** When it happens, for the mark on each masked output. */
  readonly now?: number;
}

interface Candidate {
  readonly part: ToolResultPart;
  readonly tokens: number;
}

interface Masking {
  readonly part: ToolResultPart;
  readonly mask: ToolResultPart;
  readonly saved: number;
}

/**
 * Masks old tool outputs; the calls stay. The newest outputs, the last turns and what stands before the last summary are
 * left alone, except that what a later call made stale goes first. All at once or nothing: each pruning breaks the
 * prompt cache once, so it has to be worth it.
 *
 * @example
 * const { messages, tokensSaved } = pruneToolOutputs(window, { pruneProtect: 20_000 });
 */
export function pruneToolOutputs(
  messages: readonly Message[],
  config: Partial<CompactionConfig> = {},
  options: PruneOptions = {},
): PruneResult {
  const settings = { ...DEFAULT_COMPACTION_CONFIG, ...config };
  // By the parts themselves: in a list that somebody else keeps, ids may stand twice.
  const masks = new Map<Part, ToolResultPart>();
  let tokensSaved = 0;
  for (const { part, mask, saved } of maskings(messages, settings, options)) {
    masks.set(part, mask);
    tokensSaved += saved;
  }
  if (tokensSaved < settings.pruneMinimum || masks.size === 0) return nothing(messages);
  const replace = (part: Part) => masks.get(part) ?? part;
  return {
    messages: messages.map((message) =>
      message.parts.some((part) => masks.has(part)) ? withParts(message, replace) : message,
    ),
    outputsPruned: masks.size,
    tokensSaved,
    prunedTools: [...new Set([...masks.values()].map((part) => part.toolName))],
    masked: new Map([...masks.values()].map((mask) => [mask.id, mask])),
  };
}

/**
 * Whether {@link pruneToolOutputs} would mask anything; no more outputs are looked at than it takes to tell.
 *
 * @example
 * if (needsPruning(window)) window = pruneToolOutputs(window).messages;
 */
export function needsPruning(
  messages: readonly Message[],
  config: Partial<CompactionConfig> = {},
  options: CountOptions = {},
): boolean {
  const settings = { ...DEFAULT_COMPACTION_CONFIG, ...config };
  let tokensSaved = 0;
  for (const { saved } of maskings(messages, settings, options)) {
    tokensSaved += saved;
    if (tokensSaved >= settings.pruneMinimum) return true;
  }
  return false;
}

/** The masks that save something, one by one; none where all outputs together are less than is worth it. */
function* maskings(
  messages: readonly Message[],
  config: CompactionConfig,
  options: PruneOptions,
): Generator<Masking, void> {
  const outputs = agedOutputs(messages, config, options);
  if (outputs.reduce((sum, { tokens }) => sum + tokens, 0) < config.pruneMinimum) return;
  const stale = findStaleOutputs(messages);
  let newest = 0;
  for (const { part, tokens } of outputs) {
    if (!stale.has(part)) {
      newest += tokens;
      if (newest <= config.pruneProtect) continue;
    }
    const mask = maskOutput(part, tokens, options.now ?? 0);
    const saved = tokens - countPartTokens(mask, options);
    if (saved > 0) yield { part, mask, saved };
  }
}

function nothing(messages: readonly Message[]): PruneResult {
  return { messages, outputsPruned: 0, tokensSaved: 0, prunedTools: [], masked: new Map() };
}

function withParts(message: Message, replace: (part: Part) => Part): Message {
  const { tokens: _, ...rest } = message;
  return { ...rest, parts: message.parts.map(replace) };
}

/** Outputs that may be masked, newest first: older than the last turns, and after the last summary. */
function agedOutputs(messages: readonly Message[], config: CompactionConfig, options: CountOptions): Candidate[] {
  const outputs: Candidate[] = [];
  let turns = 0;
  // What came after the last reply has not been seen by the model yet.
  let isSeen = false;
  for (const message of messages.toReversed()) {
    if (message.role === "assistant" && message.isSummary) break;
    if (isSeen && turns >= config.minTurnsToKeep) {
      for (const part of message.parts.toReversed()) {
        const fits = part.type === "tool-result" && part.compactedAt === undefined;
        if (fits && !config.protectedTools.includes(part.toolName)) {
          outputs.push({ part, tokens: countPartTokens(part, options) });
        }
      }
    }
    if (message.role === "assistant") isSeen = true;
    if (message.role === "user") turns += 1;
  }
  return outputs;
}
