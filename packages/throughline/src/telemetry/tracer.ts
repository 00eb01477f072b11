/**
 * The subset of OpenTelemetry's tracer that Throughline uses. Any version of `@opentelemetry/api` matches it; no
 * package is imported.
 */
export interface Tracer {
  startActiveSpan<T>(name: string, options: { readonly attributes: SpanAttributes }, work: (span: Span) => T): T;
}

export interface Span {
  setAttributes(attributes: SpanAttributes): unknown;
  setStatus(status: { readonly code: 2; readonly message?: string }): unknown;
  recordException(error: Error): void;
  end(): void;
}

export type SpanAttributes = Record<string, string | number | boolean | string[]>;
