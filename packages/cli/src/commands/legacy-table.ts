import type { DatabaseSync, StatementSync } from "node:sqlite";
import { UsageError } from "../usage-error.ts";

const NEEDED = ["id", "session_id", "role", "content"];

/** A row of a flat message table, as far as it can be read. */
export interface LegacyRow {
  readonly id: string | undefined;
  readonly sessionId: string | undefined;
  readonly role: string | undefined;
  readonly content: string | undefined;
  readonly createdAt: number | undefined;
}

/** The position of a row, before its content is read. */
interface Place {
  readonly createdAt: number | undefined;
  read(): Row | undefined;
}

type Row = Readonly<Record<string, unknown>>;

/** The flat message table of another program. Rows are read one by one; only their positions are kept in memory. */
export class LegacyTable {
  readonly #database: DatabaseSync;
  readonly #table: string;
  /** True if rows can be read by rowid. */
  readonly #isNumbered: boolean;
  readonly #time: string;

  /** @throws UsageError if the table does not exist or lacks columns */
  constructor(database: DatabaseSync, name: string) {
    this.#database = database;
    this.#table = `"${name.replaceAll('"', '""')}"`;
    const columns = this.#names("SELECT name FROM pragma_table_info(?)", name);
    if (columns.length === 0) throw noTable(name, this.#names("SELECT name FROM sqlite_master WHERE type = 'table'"));
    const missing = NEEDED.filter((column) => !columns.includes(column));
    if (missing.length > 0) {
      throw new UsageError(
        `Cannot read the table ${name}: it has no columns ${missing.join(", ")}.`,
        `Select a table with the columns ${NEEDED.join(", ")} with --table; created_at is optional.`,
      );
    }
    const ordinary = "SELECT name FROM pragma_table_list WHERE name = ? AND type = 'table' AND wr = 0";
    this.#isNumbered = this.#names(ordinary, name).length > 0;
    this.#time = columns.includes("created_at") ? "created_at" : "NULL AS created_at";
  }

  get size(): number {
    return Number(this.#prepare("SELECT COUNT(*) AS count").get()?.count ?? 0);
  }

  /** All rows, session by session, in message order. */
  *rows(): Generator<LegacyRow> {
    for (const session of this.#sessions()) {
      for (const { read, createdAt } of inOrder(session)) {
        const row = read();
        // Another program may have deleted it in the meantime.
        if (row !== undefined) yield toLegacyRow(row, createdAt);
      }
    }
  }

  *#sessions(): Generator<Place[]> {
    let places: Place[] = [];
    let current: unknown;
    for (const { session, place } of this.#places()) {
      if (places.length > 0 && session !== current) {
        yield places;
        places = [];
      }
      current = session;
      places.push(place);
    }
    if (places.length > 0) yield places;
  }

  *#places(): Generator<{ readonly session: unknown; readonly place: Place }> {
    const all = NEEDED.join(", ");
    const one = this.#isNumbered ? this.#prepare(`SELECT ${all}`, "WHERE rowid = ?") : undefined;
    const list =
      one === undefined ? this.#prepare(`SELECT ${all}, ${this.#time}`, "ORDER BY session_id, id") : this.#numbers();
    for (const row of list.iterate() as IterableIterator<Row>) {
      const createdAt = readLegacyTime(row.created_at);
      const read = () => (one === undefined ? row : (one.get(row.number as bigint) as Row | undefined));
      yield { session: row.session_id, place: { createdAt, read } };
    }
  }

  #numbers(): StatementSync {
    return this.#prepare(`SELECT rowid AS number, session_id, ${this.#time}`, "ORDER BY session_id, rowid");
  }

  /** Reads large integers as bigint, because ids may exceed the safe range. */
  #prepare(select: string, rest = ""): StatementSync {
    const statement = this.#database.prepare(`${select} FROM ${this.#table} ${rest}`);
    statement.setReadBigInts(true);
    return statement;
  }

  #names(sql: string, ...params: string[]): string[] {
    return this.#database
      .prepare(sql)
      .all(...params)
      .map(({ name }) => String(name));
  }
}

function noTable(name: string, there: readonly string[]): UsageError {
  const others = there.length === 0 ? "the database is empty" : `the tables are ${there.slice(0, 5).join(", ")}`;
  return new UsageError(
    `Cannot read the table ${name}: it does not exist; ${others}.`,
    "Select the table of messages with --table.",
  );
}

/** Sorts by time; a row without a time stays after the row before it. */
function inOrder(places: readonly Place[]): Place[] {
  let time = 0;
  const timed = places.map((place) => {
    time = place.createdAt ?? time;
    return { place, time };
  });
  return timed.sort((a, b) => a.time - b.time).map(({ place }) => place);
}

function toLegacyRow({ id, session_id, role, content }: Row, createdAt: number | undefined): LegacyRow {
  return { id: toText(id), sessionId: toText(session_id), role: toText(role), content: toText(content), createdAt };
}

function toText(value: unknown): string | undefined {
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  return value === null || value === undefined ? undefined : String(value);
}

/** Numbers from these on are milliseconds, microseconds and nanoseconds since 1970; smaller ones are seconds. */
const UNITS = [
  { from: 1e17, perMillisecond: 1e6 },
  { from: 1e14, perMillisecond: 1e3 },
  { from: 1e11, perMillisecond: 1 },
] as const;

/** Milliseconds since 1970 from a legacy column; `undefined` if it is not a time. */
export function readLegacyTime(value: unknown): number | undefined {
  if (typeof value === "bigint") return fromNumber(Number(value));
  if (typeof value === "number") return fromNumber(value);
  if (typeof value !== "string" || value.trim() === "") return undefined;
  const number = Number(value);
  return Number.isNaN(number) ? fromText(value.trim()) : fromNumber(number);
}

function fromNumber(value: number): number | undefined {
  if (!Number.isFinite(value) || value <= 0) return undefined;
  const unit = UNITS.find(({ from }) => value >= from);
  return Math.round(unit === undefined ? value * 1_000 : value / unit.perMillisecond);
}

/** A date and time without a zone is SQLite's format, in UTC. */
function fromText(text: string): number | undefined {
  const bare = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/.exec(text);
  const time = Date.parse(bare === null ? text : `${bare[1]}T${bare[2]}Z`);
  return Number.isNaN(time) ? undefined : time;
}
