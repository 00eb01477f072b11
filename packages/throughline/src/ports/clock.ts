/**
 * Source of the current time. Pass your own to make tests reproducible.
 *
 * @example
 * const clock: Clock = { now: () => Date.UTC(2026, 0, 1) };
 * const tl = await createThroughline({ clock });
 */
export interface Clock {
  /** Returns the current time in milliseconds since 1970. */
  now(): number;
}
