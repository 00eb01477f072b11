import { AsyncLocalStorage } from "node:async_hooks";
import type { Span, SpanAttributes, Tracer } from "./with-span.ts";

/** A recorded span with its final state. */
export class RecordedSpan implements Span {
  readonly name: string;
  readonly parent: RecordedSpan | undefined;
  readonly attributes: SpanAttributes;
  readonly exceptions: Error[] = [];
  status: { readonly code: number; readonly message?: string } | undefined;
  ends = 0;

  constructor(name: string, attributes: SpanAttributes, parent: RecordedSpan | undefined) {
    this.name = name;
    this.attributes = { ...attributes };
    this.parent = parent;
  }

  setAttributes(attributes: SpanAttributes): this {
    Object.assign(this.attributes, attributes);
    return this;
  }

  setStatus(status: { readonly code: number; readonly message?: string }): this {
    this.status = status;
    return this;
  }

  recordException(error: Error): void {
    this.exceptions.push(error);
  }

  end(): void {
    this.ends += 1;
  }
}

/** Records all spans. Tracks the active span across awaits, as OpenTelemetry does in Node. */
export class RecordingTracer implements Tracer {
  readonly spans: RecordedSpan[] = [];
  readonly #active = new AsyncLocalStorage<RecordedSpan>();

  startActiveSpan<T>(name: string, options: { readonly attributes: SpanAttributes }, work: (span: Span) => T): T {
    const span = new RecordedSpan(name, options.attributes, this.#active.getStore());
    this.spans.push(span);
    return this.#active.run(span, () => work(span));
  }

  /** Span names with their parents. */
  get tree(): string[] {
    const path = ({ name, parent }: RecordedSpan): string =>
      parent === undefined ? name : `${path(parent)} > ${name}`;
    return this.spans.map(path);
  }

  find(name: string): RecordedSpan {
    const found = this.spans.findLast((span) => span.name === name);
    if (found === undefined) throw new Error(`No span ${name}. Recorded: ${this.tree.join(", ")}.`);
    return found;
  }

  /** All text in all spans. */
  get text(): string {
    return JSON.stringify(
      this.spans.map(({ name, attributes, status, exceptions }) => [name, attributes, status, exceptions.map(String)]),
    );
  }
}
