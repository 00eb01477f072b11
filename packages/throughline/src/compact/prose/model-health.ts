import type { ModelError, ModelProblem } from "../../errors/model-error.ts";

/** Failures in a row after which a model is not asked for a while. A timeout counts twice, because it costs the most time. */
const MAX_FAILURES = 3;
const TIMEOUT_WEIGHT = 2;
/** Milliseconds of the first pause; doubled if the model fails again after it. */
const PAUSE = 60_000;
const MAX_PAUSE = 16 * PAUSE;
/** Problems that do not predict a failure of the next request. */
const HARMLESS: readonly ModelProblem[] = ["paused", "stopped", "unusable"];

/** Failures of a model in a row. A model that keeps failing is paused, so that long work does not wait for it each time. */
export class ModelHealth {
  /** The model used up its tokens before it answered, so it needs more of them. */
  reasons = false;
  #failures = 0;
  #pausedUntil = 0;

  /** Milliseconds until the model may be asked again; 0 if it may be asked now. */
  pauseLeft(now: number): number {
    return Math.max(0, this.#pausedUntil - now);
  }

  /** Milliseconds of a pause that starts with this failure; 0 for none. */
  noteFailure({ problem }: ModelError, now: number): number {
    if (HARMLESS.includes(problem)) return 0;
    this.#failures += problem === "timed-out" ? TIMEOUT_WEIGHT : 1;
    if (this.#failures < MAX_FAILURES || this.pauseLeft(now) > 0) return 0;
    const pause = Math.min(MAX_PAUSE, PAUSE * 2 ** (this.#failures - MAX_FAILURES));
    this.#pausedUntil = now + pause;
    return pause;
  }

  noteAnswer(): void {
    this.#failures = 0;
    this.#pausedUntil = 0;
  }
}

const healths = new WeakMap<object, ModelHealth>();

/** The health of a model, shared by everything in this process that asks it. */
export function healthOf(model: object): ModelHealth {
  const known = healths.get(model);
  if (known !== undefined) return known;
  const health = new ModelHealth();
  healths.set(model, health);
  return health;
}
