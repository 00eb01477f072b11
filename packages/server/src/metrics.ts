import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { JobQueue, JobState } from "throughline/internal";

const STATES: readonly JobState[] = ["waiting", "running", "done", "dead"];

/** What the server counts of itself, in Prometheus' words. No label holds a name of a user, a project or a session. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Counter<"method" | "route" | "status">;
  readonly #seconds: Histogram<"method" | "route">;
  readonly #ended: Counter<"kind" | "outcome">;

  constructor(jobs: JobQueue, streams: { readonly size: number }) {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#requests = new Counter({
      name: "throughline_http_requests_total",
      help: "Requests that were answered.",
      labelNames: ["method", "route", "status"],
      registers,
    });
    this.#seconds = new Histogram({
      name: "throughline_http_request_seconds",
      help: "How long answers took to begin.",
      labelNames: ["method", "route"],
      buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
      registers,
    });
    this.#ended = new Counter({
      name: "throughline_jobs_ended_total",
      help: "Jobs that this server brought to an end.",
      labelNames: ["kind", "outcome"],
      registers,
    });
    new Gauge({
      name: "throughline_jobs",
      help: "Jobs in the queue.",
      labelNames: ["state"],
      registers,
      async collect() {
        const counts = await jobs.counts();
        for (const state of STATES) this.set({ state }, counts[state]);
      },
    });
    new Gauge({
      name: "throughline_event_streams",
      help: "Event streams that are open.",
      registers,
      collect() {
        this.set(streams.size);
      },
    });
  }

  answered(method: string, route: string, status: number, seconds: number): void {
    this.#requests.inc({ method, route, status: String(status) });
    this.#seconds.observe({ method, route }, seconds);
  }

  jobEnded(kind: string, outcome: string): void {
    this.#ended.inc({ kind, outcome });
  }

  async text(): Promise<{ readonly type: string; readonly body: string }> {
    return { type: this.#registry.contentType, body: await this.#registry.metrics() };
  }
}
