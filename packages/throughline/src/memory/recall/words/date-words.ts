const MONTHS = "January February March April May June July August September October November December".split(" ");
const WEEKDAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

/**
 * A day in the words that questions have for it.
 *
 * @example
 * dateWords(Date.UTC(2023, 4, 8)); // "Monday 8 May 2023"
 */
export function dateWords(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "";
  return `${WEEKDAYS[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}
