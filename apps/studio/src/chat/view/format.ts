const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

/** 12,430 */
export function formatNumber(value: number): string {
  return whole.format(value);
}

/** 12,430 tokens */
export function formatTokens(value: number): string {
  return `${formatNumber(value)} ${value === 1 ? "token" : "tokens"}`;
}

/** "1 memory", "12 memories" */
export function formatCount(count: number, one: string, many: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** 14:05 */
export function formatTime(at: number): string {
  return clock.format(at);
}

/** 3 Nov 2026 */
export function formatDay(at: number): string {
  return day.format(at);
}
