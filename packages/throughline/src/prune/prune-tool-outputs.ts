import { AT_LEAST_ZERO, checkOptions, type OptionRules } from "../errors/check-options.ts";
import { isRecord, omitUndefined } from "../internal/json.ts";
import type { Message } from "../message/message.ts";
import { handleOf, type Part, type ToolCallPart, type ToolResultPart } from "../message/part.ts";
import { withChangedParts } from "../message/repair/repair.ts";
import { isErrorOutput, toolOutputText } from "../message/tool-output.ts";
import { findToolPairs, type PlacedCall } from "../message/tool-pairs.ts";
import { CONFIG_RULES, type CompactionConfig, DEFAULT_COMPACTION_CONFIG } from "../overflow/compaction-config.ts";
import { COUNT_RULES, type CountOptions, countOne } from "../tokens/count-message.ts";

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
  /** Ids of parts that stay as they are. Default: none. */
  readonly pinned?: ReadonlySet<string>;
}

const PRUNE_RULES: OptionRules<PruneOptions> = {
  ...COUNT_RULES,
  now: AT_LEAST_ZERO,
  pinned: [(value) => value instanceof Set, "a Set of part ids"],
};

interface Candidate {
  readonly part: ToolResultPart;
  readonly tokens: number;
}

const PATH_FIELDS = ["file_path", "filePath", "path", "absolute_path", "notebook_path", "target_file"];
const READS = /^(read|view|cat|open)(_?(file|notebook))?$/i;
const CHANGES =
  /^(multi_?|notebook_?|str_)?(edit|write|replace|create|insert|apply_patch)(_?(file|editor|based_edit_tool|notebook))?$/i;
/** Minimum length in characters for repeated outputs to matter. */
const LONG_OUTPUT = 200;

/**
 * Masks old tool outputs; the calls stay. Outputs that a later call made stale are masked first. The newest outputs,
 * the last requests with their replies and everything before the last summary stay. Masks all candidates at once, and
 * only if enough tokens are saved, because each pruning invalidates the prompt cache.
 *
 * @param messages Messages of the window.
 * @param config Thresholds: `pruneProtect`, `pruneMinimum` and others. Default: `DEFAULT_COMPACTION_CONFIG`.
 * @param options Token counting and time of the pruning.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * const { messages: pruned, tokensSaved } = pruneToolOutputs(messages, { pruneProtect: 20_000 });
 */
export function pruneToolOutputs(
  messages: readonly Message[],
  config: Partial<CompactionConfig> = {},
  options: PruneOptions = {},
): PruneResult {
  checkOptions<Partial<CompactionConfig>>("pruneToolOutputs (config)", config, CONFIG_RULES);
  checkOptions("pruneToolOutputs", options, PRUNE_RULES);
  const settings = { ...DEFAULT_COMPACTION_CONFIG, ...omitUndefined(config) };
  const nothing = { messages, outputsPruned: 0, tokensSaved: 0, prunedTools: [], masked: new Map() };
  const outputs = agedOutputs(messages, settings, options);
  if (outputs.reduce((sum, { tokens }) => sum + tokens, 0) < settings.pruneMinimum) return nothing;
  const stale = findStaleOutputs(messages);
  const now = options.now ?? Date.now();
  // Keyed by part object: part ids may be duplicated in a list from elsewhere.
  const masks = new Map<Part, ToolResultPart>();
  let newest = 0;
  let tokensSaved = 0;
  for (const { part, tokens } of outputs) {
    if (!stale.has(part)) {
      newest += tokens;
      if (newest <= settings.pruneProtect) continue;
    }
    const mask = maskOutput(part, tokens, now);
    const saved = tokens - countOne(mask, options);
    if (saved <= 0) continue;
    masks.set(part, mask);
    tokensSaved += saved;
  }
  if (tokensSaved < settings.pruneMinimum || masks.size === 0) return nothing;
  const masked = [...masks.values()];
  const replace = (part: Part) => masks.get(part) ?? part;
  return {
    messages: messages.map((message) => withChangedParts(message, message.parts.map(replace))),
    outputsPruned: masks.size,
    tokensSaved,
    prunedTools: [...new Set(masked.map((mask) => mask.toolName))],
    masked: new Map(masked.map((mask) => [mask.id, mask])),
  };
}

/**
 * Returns true if the outputs that `pruneToolOutputs` may mask have more tokens than `pruneProtect` and
 * `pruneMinimum` together. Below that it may still mask outputs that a later call made stale.
 *
 * @param messages Messages of the window.
 * @param config Thresholds, as for `pruneToolOutputs`.
 * @param options Token counting.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * if (needsPruning(messages)) console.log(pruneToolOutputs(messages).tokensSaved);
 */
export function needsPruning(
  messages: readonly Message[],
  config: Partial<CompactionConfig> = {},
  options: CountOptions = {},
): boolean {
  checkOptions<Partial<CompactionConfig>>("needsPruning (config)", config, CONFIG_RULES);
  checkOptions("needsPruning", options, COUNT_RULES);
  const settings = { ...DEFAULT_COMPACTION_CONFIG, ...omitUndefined(config) };
  const tokens = agedOutputs(messages, settings, options).reduce((sum, output) => sum + output.tokens, 0);
  return tokens > settings.pruneProtect + settings.pruneMinimum;
}

/** Outputs that may be masked, newest first: older than the last requests of the user, newer than the last summary. */
function agedOutputs(
  messages: readonly Message[],
  config: CompactionConfig,
  { pinned, ...options }: PruneOptions,
): Candidate[] {
  const outputs: Candidate[] = [];
  let requests = 0;
  // The model has not seen outputs after its last reply yet.
  let isSeen = false;
  for (const message of messages.toReversed()) {
    if (message.role === "assistant" && message.isSummary && requests >= config.minTurnsToKeep) break;
    if (isSeen && requests >= config.minTurnsToKeep) {
      for (const part of message.parts.toReversed()) {
        const fits = part.type === "tool-result" && part.compactedAt === undefined && pinned?.has(part.id) !== true;
        if (fits && !config.protectedTools.includes(part.toolName)) {
          outputs.push({ part, tokens: countOne(part, options) });
        }
      }
    }
    if (message.role === "assistant") isSeen = true;
    if (message.role === "user") requests += 1;
  }
  return outputs;
}

/** File path → read results that are still current. */
type Readings = Map<string, readonly ToolResultPart[]>;

/**
 * Returns the results that a later call made stale: the file was read again or changed, or the same output was returned
 * again.
 */
function findStaleOutputs(messages: readonly Message[]): ReadonlySet<ToolResultPart> {
  const stale = new Set<ToolResultPart>();
  const readings: Readings = new Map();
  const outputs = new Map<string, ToolResultPart>();
  for (const call of findToolPairs(messages).calls) {
    for (const earlier of outdatedReadings(call, readings)) stale.add(earlier);
    const repeated = repeatedOutput(call, outputs);
    if (repeated !== undefined) stale.add(repeated);
  }
  return stale;
}

/** Returns the earlier reads of the file that this call reads again or changes, and records this read. */
function outdatedReadings(call: PlacedCall, readings: Readings): readonly ToolResultPart[] {
  const { part, result } = call;
  const path = pathOf(part);
  // A failed call neither read nor changed anything.
  if (path === undefined || result === undefined || isErrorOutput(result.part.output)) return [];
  const earlier = readings.get(path) ?? [];
  if (isRead(part)) {
    readings.set(path, [...(coversAll(call) ? [] : earlier), result.part]);
    return coversAll(call) ? earlier : [];
  }
  if (!CHANGES.test(part.toolName)) return [];
  readings.delete(path);
  return earlier;
}

/** Returns the earlier result with the same output, if the output is long enough to matter. */
function repeatedOutput({ result }: PlacedCall, outputs: Map<string, ToolResultPart>): ToolResultPart | undefined {
  if (result === undefined) return undefined;
  const text = toolOutputText(result.part.output);
  const before = outputs.get(text);
  outputs.set(text, result.part);
  return text.length > LONG_OUTPUT ? before : undefined;
}

function pathOf(part: ToolCallPart): string | undefined {
  if (!isRecord(part.input)) return undefined;
  const { input } = part;
  return PATH_FIELDS.map((field) => input[field]).find((value): value is string => typeof value === "string");
}

function isRead(part: ToolCallPart): boolean {
  const command = isRecord(part.input) ? part.input.command : undefined;
  return READS.test(part.toolName) || command === "view";
}

/** A partial read does not make an earlier full read stale. */
function coversAll({ part }: PlacedCall): boolean {
  const { input } = part;
  return !isRecord(input) || !("offset" in input || "limit" in input || "view_range" in input || "start_line" in input);
}

/** Copy of the result with its output masked: tool, size, first line and handle. */
export function maskOutput(part: ToolResultPart, tokens: number, at: number): ToolResultPart {
  const value = maskNote(`Output of ${part.toolName}`, part, tokens, toolOutputText(part.output));
  const { tokens: _, foreign: __, ...rest } = part;
  return { ...rest, output: { type: "text", value }, compactedAt: at, originalTokens: tokens };
}

const PREVIEW_CHARS = 80;

/** Note that replaces masked content: its name, size, first line and handle. */
export function maskNote(name: string, { id }: Part, tokens: number, text = ""): string {
  const firstLine = text.trimStart().split("\n", 1)[0]?.slice(0, PREVIEW_CHARS).trim() ?? "";
  const preview = firstLine === "" ? "" : ` It began: ${JSON.stringify(firstLine)}.`;
  return `[${name} masked: ${tokens.toLocaleString("en-US")} tokens.${preview} Recall it as ${handleOf(id)}]`;
}
