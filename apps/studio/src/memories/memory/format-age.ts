import { languageChoice } from "../../app/device-settings.ts";

const UNITS = [
  ["year", 365 * 86_400_000],
  ["month", 30 * 86_400_000],
  ["week", 7 * 86_400_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const satisfies readonly (readonly [Intl.RelativeTimeFormatUnit, number])[];

/** "3 days ago" or "now", in the person's language. */
export function formatAge(at: string, now = Date.now(), language = languageChoice.getSnapshot().value): string {
  const passed = now - Date.parse(at);
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const [unit, length] = UNITS.find(([, milliseconds]) => Math.abs(passed) >= milliseconds) ?? [
    "second",
    Number.POSITIVE_INFINITY,
  ];
  return format.format(-Math.floor(passed / length) || 0, unit);
}

/** The last two folders of a project's path. */
export function projectName(id: string): string {
  const parts = id.split(/[\\/]/).filter((part) => part !== "");
  return parts.slice(-2).join("/") || id;
}

/** Users that the server and the transcripts name if there is only one person. */
const ONLY_USERS = ["local", "user"];

/** The name of a person, or the word for the only one. */
export function personName(name: string, you: string): string {
  return ONLY_USERS.includes(name) ? you : name;
}
