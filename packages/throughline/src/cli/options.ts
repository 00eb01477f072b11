import { InvalidArgumentError, Option } from "commander";
import { TRANSCRIPT_FORMATS } from "../transcript/transcript.ts";

// What several commands take.

export function formatOption(): Option {
  return new Option("-f, --format <format>", "told from the file if not given").choices(TRANSCRIPT_FORMATS);
}

export function modelOption(): Option {
  return new Option("-m, --model <id>", "the model to count tokens for").default("gpt-4o");
}

export function jsonOption(): Option {
  return new Option("--json", "print one JSON object");
}

export function wholeNumber(text: string): number {
  const value = Number(text.replaceAll(",", "").replaceAll("_", ""));
  if (!Number.isInteger(value) || value <= 0) throw new InvalidArgumentError("It takes a whole number above 0.");
  return value;
}
