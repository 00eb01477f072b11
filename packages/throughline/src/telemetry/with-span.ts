import { omitUndefined } from "../internal/json.ts";

/** Receiver of spans and their privacy setting. */
export interface Telemetry {
  readonly tracer: Tracer;
  /** True if spans may contain texts: queries, memories, summaries and error messages. */
  readonly recordContent: boolean;
}

/** Span attributes; undefined ones are dropped. */
export type Attributes = Record<string, SpanAttributes[string] | undefined>;

/** Name and attributes of a span. The attributes are computed only if there is a tracer. */
interface SpanDescription<T> {
  readonly name: string;
  /** Attributes known at the start. */
  readonly before: () => Attributes;
  /** Attributes known at the end. */
  readonly after?: (result: T) => Attributes;
}

/** Status code of OpenTelemetry. */
const STATUS_ERROR = 2;

/**
 * Runs work inside a span. Spans started meanwhile become its children, as far as the tracer propagates its context (in
 * Node across every await). Runs the work alone if there is no tracer.
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
      recordError(span, error, telemetry.recordContent);
      throw error;
    } finally {
      span.end();
    }
  });
}

function known(attributes: Attributes): SpanAttributes {
  return omitUndefined(attributes) as SpanAttributes;
}

/** Records an error. Its message may contain user text, so it is recorded only if content is. */
function recordError(span: Span, error: unknown, recordContent: boolean): void {
  span.setAttributes({ "error.type": error instanceof Error ? error.name : "_OTHER" });
  if (!recordContent || !(error instanceof Error)) {
    span.setStatus({ code: STATUS_ERROR });
    return;
  }
  span.setStatus({ code: STATUS_ERROR, message: error.message });
  span.recordException(error);
}

/**
 * The subset of OpenTelemetry's tracer that Throughline uses. Any version of `@opentelemetry/api` matches it; the
 * package imports none.
 */
export interface Tracer {
  /**
   * Starts a span, makes it the active one during `work`, and returns the result of `work`.
   *
   * @param name Name of the span.
   * @param options Attributes at the start.
   * @param work Called with the span.
   */
  startActiveSpan<T>(name: string, options: { readonly attributes: SpanAttributes }, work: (span: Span) => T): T;
}

/** The subset of OpenTelemetry's span that Throughline uses. */
export interface Span {
  /**
   * Adds attributes.
   *
   * @param attributes Names and values.
   */
  setAttributes(attributes: SpanAttributes): unknown;
  /**
   * Marks the span as failed.
   *
   * @param status Code 2 (error), and a message.
   */
  setStatus(status: { readonly code: 2; readonly message?: string }): unknown;
  /**
   * Adds an error to the span.
   *
   * @param error The error.
   */
  recordException(error: Error): void;
  /** Ends the span. */
  end(): void;
}

/** Attributes of a span. */
export type SpanAttributes = Record<string, string | number | boolean | string[]>;
