import { messageOf } from "throughline/internal/util";

/** An invalid command, option or value. */
export class UsageError extends Error {
  /** Advice: the next step. */
  readonly advice: string;

  constructor(problem: string, advice: string) {
    super(problem);
    this.advice = advice;
  }
}

/** An error with a file that the user named. */
export class InputError extends Error {
  readonly file: string;
  /** Advice: the next step. */
  readonly advice: string | undefined;

  constructor(file: string, cause: unknown, advice?: string) {
    super(messageOf(cause), { cause });
    this.file = file === "-" ? "standard input" : file;
    this.advice = advice;
  }
}

/** Scripts rely on these: 0 done, 1 failed, 2 bad usage or input, 3 refused, 130 stopped with Ctrl-C. */
export const EXIT = { done: 0, failed: 1, badInput: 2, refused: 3, interrupted: 130 } as const;

/** A configuration file of an agent that must not be changed; it was left unchanged. */
export class ConfigError extends UsageError {
  readonly file: string;

  constructor(file: string, problem: string, advice: string) {
    super(`${file}: ${problem}`, advice);
    this.file = file;
  }
}
