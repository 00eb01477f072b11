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
