/** Characters that are valid in JSON but control a terminal: C1 control characters and bidirectional marks. */
const COMMANDS = /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A value as indented JSON. */
export function printJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replaceAll(COMMANDS, inJson)}\n`;
}

function inJson(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
