/** Something that the user asked for and that cannot be meant. */
export class UsageError extends Error {
  /** What to do next. */
  readonly advice: string;

  constructor(problem: string, advice: string) {
    super(problem);
    this.advice = advice;
  }
}
