/** What JSON may hold as it is, and a terminal would obey: the upper control characters, and what turns lines around. */
const COMMANDS = /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A value for programs, in lines that people can read too. */
export function printJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replaceAll(COMMANDS, inJson)}\n`;
}

function inJson(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
