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
