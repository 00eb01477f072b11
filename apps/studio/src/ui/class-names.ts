/** Joins class names. Skips empty ones. */
export function classNames(...names: readonly (string | false | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}
