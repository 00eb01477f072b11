/** Formats a number, such as 12,430. */
export function number(value: number): string {
  return value.toLocaleString("en-US");
}

/** Formats a count: "1 session", "2 sessions", "2 memories". */
export function count(amount: number, noun: string, plural = `${noun}s`): string {
  return `${number(amount)} ${amount === 1 ? noun : plural}`;
}

const UNITS = ["bytes", "KB", "MB", "GB", "TB"];

/** Formats a size, such as 1.5 MB. */
export function size(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** power;
  return `${power === 0 ? number(value) : value.toFixed(1)} ${UNITS[power]}`;
}

/** A local time, to the minute. */
export function moment(milliseconds: number): string {
  const date = new Date(milliseconds);
  const local = new Date(milliseconds - date.getTimezoneOffset() * 60_000);
  // Imported data may have times outside of the calendar.
  if (Number.isNaN(local.getTime())) return "an unknown time";
  return local.toISOString().slice(0, 16).replace("T", " ");
}
