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
