import { isRecord } from "../internal/json.ts";
import type { Message } from "../message/message.ts";
import type { ToolCallPart, ToolResultPart } from "../message/part.ts";
import { isErrorOutput, toolOutputText } from "../message/tool-output.ts";
import { findToolPairs, type PlacedCall } from "../message/tool-pairs.ts";

const PATH_FIELDS = ["file_path", "filePath", "path", "absolute_path", "notebook_path", "target_file"];
const READS = /^(read|view|cat|open)(_?(file|notebook))?$/i;
/** Minimum length in characters for repeated outputs to matter. */
const LONG_OUTPUT = 200;
const CHANGES =
  /^(multi_?|notebook_?|str_)?(edit|write|replace|create|insert|apply_patch)(_?(file|editor|based_edit_tool|notebook))?$/i;

/** File path → read results that are still current. */
type Readings = Map<string, readonly ToolResultPart[]>;

/**
 * Returns the results that a later call made stale: the file was read again or changed, or the same output was returned
 * again.
 */
export function findStaleOutputs(messages: readonly Message[]): ReadonlySet<ToolResultPart> {
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
