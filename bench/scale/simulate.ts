import { generator } from "../memory/recall/generated-turns.ts";

/** Costs of one server, measured in the same run. */
export interface Costs {
  /** Milliseconds of CPU time of a recall whose index is in memory, and of one that has to read it. */
  readonly warmCpuMs: number;
  readonly coldCpuMs: number;
  /** Pages of 8 KB that the database looks at. */
  readonly warmPages: number;
  readonly coldPages: number;
  /** Bytes of the index of a user in memory. */
  readonly indexBytes: number;
}

export interface SimulationOptions {
  readonly users: number;
  readonly recalls: number;
  /** Bytes of the index cache of each server. */
  readonly maxIndexBytes: number;
  readonly costs: Costs;
}

export type Routing = "by user" | "random";

export interface SimulatedServers {
  readonly servers: number;
  readonly routing: Routing;
  readonly hitRate: number;
  /** Bytes of indexes in memory, of all servers. */
  readonly cacheBytes: number;
  /** Share of the recalls that the busiest server gets, relative to the mean. */
  readonly skew: number;
  /** Milliseconds of CPU time per recall. */
  readonly cpuMs: number;
  /** Recalls per second until the busiest server uses a core completely. */
  readonly maxPerSecond: number;
  /** Index reads, and bytes of pages, of the database at that rate. */
  readonly readsPerSecond: number;
  readonly databaseBytesPerSecond: number;
}

/**
 * Simulates the index caches of several servers. Users ask with frequencies after Zipf's law. The first half of the
 * recalls fills the caches, the second half is counted.
 */
export function simulate(servers: number, routing: Routing, options: SimulationOptions): SimulatedServers {
  const { users, recalls, maxIndexBytes, costs } = options;
  const capacity = Math.floor(maxIndexBytes / costs.indexBytes);
  const draw = generator(7);
  const caches = Array.from({ length: servers }, () => new Set<number>());
  const loads = new Float64Array(servers);
  let [hits, counted] = [0, 0];
  for (let i = 0; i < recalls; i += 1) {
    const user = zipf(draw, users);
    const server = Math.floor((routing === "by user" ? spread(user) : draw()) * servers);
    const isHit = use(caches[server] ?? new Set(), user, capacity);
    if (i < recalls / 2) continue;
    counted += 1;
    if (isHit) hits += 1;
    loads[server] = (loads[server] ?? 0) + (isHit ? costs.warmCpuMs : costs.coldCpuMs);
  }
  const hitRate = hits / counted;
  const mean = (warm: number, cold: number) => hitRate * warm + (1 - hitRate) * cold;
  const cpuMs = mean(costs.warmCpuMs, costs.coldCpuMs);
  const skew = (Math.max(...loads) * servers) / loads.reduce((sum, one) => sum + one, 0);
  const maxPerSecond = (1_000 / cpuMs) * (servers / skew);
  return {
    servers,
    routing,
    hitRate,
    cacheBytes: caches.reduce((sum, { size }) => sum + size, 0) * costs.indexBytes,
    skew,
    cpuMs,
    maxPerSecond,
    readsPerSecond: maxPerSecond * (1 - hitRate),
    databaseBytesPerSecond: maxPerSecond * mean(costs.warmPages, costs.coldPages) * 8_192,
  };
}

/** Rank of a user, the most active first: the share of rank r is about 1 / (r · ln users). */
function zipf(draw: () => number, users: number): number {
  return Math.min(users - 1, Math.floor(users ** draw()) - 1);
}

/** A number from 0 to 1 that is the same for each call with a user. */
function spread(user: number): number {
  return generator(user)();
}

/** Uses a cache that drops the least recently used entry. Returns `true` if it has the user. */
function use(cache: Set<number>, user: number, capacity: number): boolean {
  const isHit = cache.delete(user);
  cache.add(user);
  if (cache.size > capacity) {
    const [oldest] = cache;
    if (oldest !== undefined) cache.delete(oldest);
  }
  return isHit;
}
