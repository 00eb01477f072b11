import { UsageError } from "../usage-error.ts";

/** A file of an agent's configuration that is not ours to change; it is as it was. */
export class ConfigError extends UsageError {
  readonly file: string;

  constructor(file: string, problem: string, advice: string) {
    super(`${file}: ${problem}`, advice);
    this.file = file;
  }
}
