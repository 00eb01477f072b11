import { type Command, InvalidArgumentError, Option } from "commander";
import { type MemoryKind, type MemoryScope, TRANSCRIPT_FORMATS } from "throughline";
import type { FactCategory } from "throughline/memory";

// Options that several commands share.

const KINDS = ["fact", "episode", "pattern", "workflow"] as const satisfies readonly MemoryKind[];
const CATEGORIES = ["identity", "preference", "project"] as const satisfies readonly FactCategory[];
const SCOPES = ["user-private", "project-shared", "system"] as const satisfies readonly MemoryScope[];

export function formatOption(): Option {
  return new Option("-f, --format <format>", "Transcript format (default: detected)").choices(TRANSCRIPT_FORMATS);
}

export function modelOption(): Option {
  return new Option("-m, --model <id>", "Model whose tokenizer counts the tokens").default("gpt-4o");
}

export function jsonOption(): Option {
  return new Option("--json", "Print one JSON object");
}

export function jsonListOption(): Option {
  return new Option("--json", "Print a JSON array");
}

export function dryRunOption(): Option {
  return new Option("--dry-run", "Print what would change, and change nothing");
}

export function withoutModelOption(): Option {
  return new Option("--without-model", "Do not call a model, even if one is configured");
}

/** For commands on stored data, together with `allProjectsOption`. */
export function projectOption(
  description = "Folder or project name (default: the repository you are in, if any)",
): Option {
  return new Option("-p, --project <project>", description);
}

export function allProjectsOption(): Option {
  return new Option("--all-projects", "All projects (default outside of a repository)");
}

/** For commands that work in a project folder. */
export function dirOption(description = "Project folder (default: the current one)"): Option {
  return new Option("-C, --dir <folder>", description);
}

/** Refuses flags of earlier versions, and names the flag to use instead. */
export function refuseRenamed(command: Command, renamed: Readonly<Record<string, string>>): Command {
  for (const [flags, use] of Object.entries(renamed)) {
    const option = new Option(flags).hideHelp();
    command.addOption(option).on(`option:${option.name()}`, () => {
      command.error(`error: ${option.long} was renamed. Use ${use}.`);
    });
  }
  return command;
}

export function kindOption(description: string): Option {
  return new Option("--kind <kind>", description).choices(KINDS);
}

export function categoryOption(description: string): Option {
  return new Option("--category <category>", description).choices(CATEGORIES);
}

export function scopeOption(description: string): Option {
  return new Option("--scope <scope>", description).choices(SCOPES);
}

export function wholeNumber(text: string): number {
  const value = Number(text.replaceAll(",", "").replaceAll("_", ""));
  if (!Number.isInteger(value) || value <= 0) throw new InvalidArgumentError("Expected a whole number above 0.");
  return value;
}

/** Collects a repeatable option. */
export function each(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** The start of a local day, or a time, in milliseconds since 1970. */
export function dateFrom(text: string): number {
  return readDate(text, "00:00", ":00");
}

/** The end of a local day, or a time. */
export function dateUntil(text: string): number {
  return readDate(text, "23:59", ":59.999");
}

function readDate(text: string, ofDay: string, ofMinute: string): number {
  const [, day = "", time = ofDay, seconds, zone = ""] = DATE.exec(text.trim()) ?? [];
  const milliseconds = Date.parse(`${day}T${time}${seconds ?? ofMinute}${zone}`);
  // JavaScript would read February 30 as a day in March.
  const isDay = new Date(`${day}T00:00Z`).toJSON()?.startsWith(day) ?? false;
  if (Number.isNaN(milliseconds) || !isDay) {
    throw new InvalidArgumentError('Expected a date such as 2026-05-01 or "2026-05-01 14:30".');
  }
  return milliseconds;
}
