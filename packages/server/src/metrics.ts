import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { ModelCall } from "throughline";
import { type IndexCacheStats, indexCacheStats } from "throughline/internal/engine";
import type { JobQueue, JobState } from "throughline/internal/sql";

const STATES: readonly JobState[] = ["waiting", "running", "done", "dead"];

/** Prometheus metrics of the server. Labels never contain names of users, projects or sessions. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Counter<"method" | "route" | "status">;
  readonly #seconds: Histogram<"method" | "route">;
  readonly #ended: Counter<"kind" | "outcome">;
  readonly #modelCalls: Counter<"task" | "outcome">;
  readonly #modelSeconds: Histogram<"task">;

  constructor(jobs: JobQueue, streams: { readonly size: number }) {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#requests = new Counter({
      name: "throughline_http_requests_total",
      help: "HTTP requests answered.",
      labelNames: ["method", "route", "status"],
      registers,
    });
    this.#seconds = new Histogram({
      name: "throughline_http_request_seconds",
      help: "Time until a response starts, in seconds.",
      labelNames: ["method", "route"],
      buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
      registers,
    });
    this.#ended = new Counter({
      name: "throughline_jobs_ended_total",
      help: "Jobs finished by this server.",
      labelNames: ["kind", "outcome"],
      registers,
    });
    this.#modelCalls = new Counter({
      name: "throughline_model_calls_total",
      help: "Model requests for facts, comparisons and summaries, by outcome: answered, failed or skipped.",
      labelNames: ["task", "outcome"],
      registers,
    });
    this.#modelSeconds = new Histogram({
      name: "throughline_model_call_seconds",
      help: "Duration of model requests including retries, in seconds.",
      labelNames: ["task"],
      buckets: [0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 90, 120],
      registers,
    });
    this.#registerIndexes();
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
      help: "Open event streams.",
      registers,
      collect() {
        this.set(streams.size);
      },
    });
  }

  /** Search indexes in memory. They are shared by all users. */
  #registerIndexes(): void {
    const registers = [this.#registry];
    const gauge = (name: string, help: string, of: (stats: IndexCacheStats) => number): void => {
      new Gauge({
        name: `throughline_index_${name}`,
        help,
        registers,
        collect() {
          this.set(of(indexCacheStats()));
        },
      });
    };
    const counter = (name: string, help: string, of: (stats: IndexCacheStats) => number): void => {
      new Counter({
        name: `throughline_index_${name}_total`,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(of(indexCacheStats()));
        },
      });
    };
    gauge("indexes", "Search indexes in memory.", ({ indexes }) => indexes);
    gauge("bytes", "Memory used by search indexes, in bytes.", ({ bytes }) => bytes);
    gauge("max_bytes", "Memory limit of search indexes, in bytes.", ({ maxBytes }) => maxBytes);
    counter("hits", "Search index cache hits.", ({ hits }) => hits);
    counter("misses", "Search index cache misses.", ({ misses }) => misses);
    counter("evictions", "Search indexes evicted at the memory limit.", ({ evictions }) => evictions);
  }

  answered(method: string, route: string, status: number, seconds: number): void {
    this.#requests.inc({ method, route, status: String(status) });
    this.#seconds.observe({ method, route }, seconds);
  }

  jobEnded(kind: string, outcome: string): void {
    this.#ended.inc({ kind, outcome });
  }

  modelCalled({ task, outcome, duration }: ModelCall): void {
    this.#modelCalls.inc({ task, outcome });
    if (outcome !== "skipped") this.#modelSeconds.observe({ task }, duration / 1_000);
  }

  async text(): Promise<{ readonly type: string; readonly body: string }> {
    return { type: this.#registry.contentType, body: await this.#registry.metrics() };
  }
}
