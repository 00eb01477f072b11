import type { Message } from "../message/message.ts";
import type { Part, ToolResultPart } from "../message/part.ts";
import { type CompactionConfig, DEFAULT_COMPACTION_CONFIG } from "../overflow/compaction-config.ts";
import { type CountOptions, countPartTokens } from "../tokens/count-message.ts";
import { findStaleOutputs } from "./find-stale-outputs.ts";
import { maskOutput } from "./mask-output.ts";

/** Result of pruning. */
export interface PruneResult {
  readonly messages: readonly Message[];
  readonly outputsPruned: number;
  readonly tokensSaved: number;
  /** Names of the tools whose outputs were masked. */
  readonly prunedTools: readonly string[];
  /** Part id → masked part. */
  readonly masked: ReadonlyMap<string, ToolResultPart>;
}

/** Options for token counting and the time of the pruning. */
export interface PruneOptions extends CountOptions {
  /** Time of the pruning in milliseconds since 1970, recorded on each masked output. Default: now. */
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
 * Masks old tool outputs; the calls stay. Outputs that a later call made stale are masked first. The newest outputs,
 * the last turns and everything before the last summary stay. Masks all candidates at once, and only if enough tokens
 * are saved, because each pruning invalidates the prompt cache.
 *
 * @param messages Messages of the window.
 * @param config Thresholds: `pruneProtect`, `pruneMinimum` and others. Default: `DEFAULT_COMPACTION_CONFIG`.
 * @param options Token counting and time of the pruning.
 *
 * @example
 * const { messages: pruned, tokensSaved } = pruneToolOutputs(messages, { pruneProtect: 20_000 });
 */
export function pruneToolOutputs(
  messages: readonly Message[],
  config: Partial<CompactionConfig> = {},
  options: PruneOptions = {},
): PruneResult {
  const settings = { ...DEFAULT_COMPACTION_CONFIG, ...config };
  // Keyed by part object: part ids may be duplicated in a list from elsewhere.
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
 * Returns true if the outputs that `pruneToolOutputs` may mask have more tokens than `pruneProtect` and
 * `pruneMinimum` together. Below that it may still mask outputs that a later call made stale.
 *
 * @param messages Messages of the window.
 * @param config Thresholds, as for `pruneToolOutputs`.
 * @param options Token counting.
 *
 * @example
 * if (needsPruning(messages)) console.log(pruneToolOutputs(messages).tokensSaved);
 */
export function needsPruning(
  messages: readonly Message[],
  config: Partial<CompactionConfig> = {},
  options: CountOptions = {},
): boolean {
  const settings = { ...DEFAULT_COMPACTION_CONFIG, ...config };
  const tokens = agedOutputs(messages, settings, options).reduce((sum, output) => sum + output.tokens, 0);
  return tokens > settings.pruneProtect + settings.pruneMinimum;
}

/** Yields the masks that save tokens; none if the total saving is below the minimum. */
function* maskings(
  messages: readonly Message[],
  config: CompactionConfig,
  options: PruneOptions,
): Generator<Masking, void> {
  const outputs = agedOutputs(messages, config, options);
  if (outputs.reduce((sum, { tokens }) => sum + tokens, 0) < config.pruneMinimum) return;
  const stale = findStaleOutputs(messages);
  const now = options.now ?? Date.now();
  let newest = 0;
  for (const { part, tokens } of outputs) {
    if (!stale.has(part)) {
      newest += tokens;
      if (newest <= config.pruneProtect) continue;
    }
    const mask = maskOutput(part, tokens, now);
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

/** Outputs that may be masked, newest first: older than the last turns, newer than the last summary. */
function agedOutputs(messages: readonly Message[], config: CompactionConfig, options: CountOptions): Candidate[] {
  const outputs: Candidate[] = [];
  let turns = 0;
  // The model has not seen outputs after its last reply yet.
  let isSeen = false;
  for (const message of messages.toReversed()) {
    if (message.role === "assistant" && message.isSummary && turns >= config.minTurnsToKeep) break;
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
