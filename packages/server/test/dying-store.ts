import { StoreError } from "../../throughline/src/errors/store-errors.ts";
import type { SqlStore } from "../../throughline/src/store/sql/sql-store.ts";

/** Methods that commit. All others read or lease. */
const WRITES = new Set(["append", "commit", "put", "delete", "erase", "purge", "record", "revoke", "revive", "save"]);

export interface DyingStore {
  readonly store: SqlStore;
  /** True if the n-th write was reached. */
  isDead(): boolean;
}

/**
 * The store as a server has it that is killed right after its n-th write: that write is committed, its caller gets no
 * response, and every later call fails. Its claims lapse at once, so that a retry need not wait.
 */
export function dyingStore(store: SqlStore, afterWrites: number): DyingStore {
  let left = afterWrites;
  const dead = () => new StoreError("unavailable", "The server was killed.");
  const guard = <T extends object>(part: T): T =>
    new Proxy(part, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (typeof value === "object" && value !== null) return guard(value);
        if (typeof value !== "function") return value;
        return async (...args: unknown[]) => {
          if (left === 0) throw dead();
          if (name === "claim") args[3] = 0;
          const result: unknown = await value.apply(target, args);
          if (!WRITES.has(String(name)) || result === false) return result;
          left -= 1;
          if (left === 0) throw dead();
          return result;
        };
      },
      ownKeys: (target) => Reflect.ownKeys(target),
    });
  return { store: guard(store), isDead: () => left === 0 };
}
