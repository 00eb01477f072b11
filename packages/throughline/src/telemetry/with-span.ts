import { omitUndefined } from "../internal/json.ts";
import type { Span, SpanAttributes, Tracer } from "./tracer.ts";

/** Whom spans are given to, and what they may say. */
export interface Telemetry {
  readonly tracer: Tracer;
  /** Whether texts may be in spans: what is asked, remembered and summarised, and the words of errors. */
  readonly recordContent: boolean;
}

/** Attributes, some of which may not be known. */
export type Attributes = Record<string, SpanAttributes[string] | undefined>;

/** What a span says of work, asked for only where there is somebody to hear it. */
export interface SpanDescription<T> {
  readonly name: string;
  /** Known when it begins. */
  readonly before: () => Attributes;
  /** Known when it is done. */
  readonly after?: (result: T) => Attributes;
}

/** As OpenTelemetry numbers it. */
const STATUS_ERROR = 2;

/**
 * Does work within a span. What it does meanwhile becomes a child of it, as far as the tracer's context goes: in Node
 * across every await. Without telemetry it is the work alone.
 */
export function withSpan<T>(
  telemetry: Telemetry | undefined,
  { name, before, after }: SpanDescription<T>,
  work: () => Promise<T>,
): Promise<T> {
  if (telemetry === undefined) return work();
  return telemetry.tracer.startActiveSpan(name, { attributes: known(before()) }, async (span) => {
    try {
      const result = await work();
      if (after !== undefined) span.setAttributes(known(after(result)));
      return result;
    } catch (error) {
      noteError(span, error, telemetry.recordContent);
      throw error;
    } finally {
      span.end();
    }
  });
}

function known(attributes: Attributes): SpanAttributes {
  return omitUndefined(attributes) as SpanAttributes;
}

/** Its words may repeat what was said, so that they go along only where content does. */
function noteError(span: Span, error: unknown, recordContent: boolean): void {
  span.setAttributes({ "error.type": error instanceof Error ? error.name : "_OTHER" });
  if (!recordContent || !(error instanceof Error)) {
    span.setStatus({ code: STATUS_ERROR });
    return;
  }
  span.setStatus({ code: STATUS_ERROR, message: error.message });
  span.recordException(error);
}
