import { createRequire } from "node:module";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { findPeer } from "../../../import-peer.ts";

/** What mem0 uses of better-sqlite3, over Node's own SQLite. */
class Database extends DatabaseSync {
  transaction<Args extends unknown[]>(work: (...args: Args) => void): (...args: Args) => void {
    return (...args) => {
      this.exec("BEGIN");
      try {
        work(...args);
        this.exec("COMMIT");
      } catch (error) {
        this.exec("ROLLBACK");
        throw error;
      }
    };
  }
}

/**
 * Puts Node's SQLite in the place of better-sqlite3 in a folder of packages, before anything loads it: 12.11.1 must be
 * compiled where its download cannot be reached, and then Node 24 ends with "Assertion failed: (env) != nullptr" when
 * a statement of it is collected. `false` where it is not installed.
 */
export function replaceSqlite(folder: string | undefined): boolean {
  const file = findPeer("better-sqlite3", folder);
  if (file === undefined) return false;
  const module = { id: file, filename: file, path: path.dirname(file), exports: Database, loaded: true };
  Object.assign(createRequire(file).cache, { [file]: { ...module, children: [], paths: [] } });
  return true;
}
