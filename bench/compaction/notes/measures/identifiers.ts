const MIN_LENGTH = 5;
const MAX_LENGTH = 160;

/** Names joined by dots, slashes, hyphens or colons, such as a path; otherwise one name of at least four characters. */
const CANDIDATE = new RegExp(
  `${String.raw`[A-Za-z_@][\w@$]*(?:[-./:][\w@$]+)+`}|${String.raw`[A-Za-z_$][\w$]{3,}`}`,
  "g",
);

const SIGNS: readonly ((name: string) => boolean)[] = [
  (name) => name.includes("/"),
  (name) => name.includes("_"),
  (name) => /[a-z][A-Z]|[A-Z]{2}[a-z]/.test(name), // camel case
  (name) => /\.\w{1,5}$/.test(name), // a file extension, or a method
  (name) => /\d/.test(name) && /[A-Za-z]{3}/.test(name),
];

/**
 * The identifiers of a text, each once. Used by the measures of notes; `../../identifiers.ts` has the wider rule of the
 * table of needed identifiers.
 */
export function identifiersIn(text: string): Set<string> {
  return new Set((text.match(CANDIDATE) ?? []).filter(isIdentifier));
}

function isIdentifier(name: string): boolean {
  return name.length >= MIN_LENGTH && name.length <= MAX_LENGTH && SIGNS.some((hasSign) => hasSign(name));
}
