import { UsageError } from "../usage-error.ts";

/** A configuration file of an agent that must not be changed; it was left unchanged. */
export class ConfigError extends UsageError {
  readonly file: string;

  constructor(file: string, problem: string, advice: string) {
    super(`${file}: ${problem}`, advice);
    this.file = file;
  }
}
