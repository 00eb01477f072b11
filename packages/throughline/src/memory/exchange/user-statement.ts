import { agree, toThirdPerson } from "../../language/third-person.ts";

const SECOND_PERSON: readonly (readonly [RegExp, string])[] = [
  [/^You(?:['’]re| are)\b/i, "I am"],
  [/^You(?:['’]ve| have)\b/i, "I have"],
  [/^You\b/i, "I"],
  [/^Your\b/i, "My"],
  [/\byou(?:['’]re| are)\b/gi, "I am"],
  [/\byou(?:['’]ve| have)\b/gi, "I have"],
  [/\byourself\b/gi, "myself"],
  [/\byours\b/gi, "mine"],
  [/\byour\b/gi, "my"],
  [/\b(to|for|with|of|about|from|by|at|help|helps|give|gives|tell|tells|call|calls|let|lets) you\b/gi, "$1 me"],
  [/\byou\b/gi, "I"],
];

/**
 * Rewrites a line of a pasted export as a statement about the user.
 *
 * @example
 * toUserStatement("You prefer short answers."); // "User prefers short answers"
 */
export function toUserStatement(line: string): string {
  return toThirdPerson(/^your?\b/i.test(line) ? asFirstPerson(line) : line);
}

function asFirstPerson(line: string): string {
  let text = line;
  for (const [second, first] of SECOND_PERSON) text = text.replace(second, first);
  return text;
}

const PRONOUN = /^(?:He|She|They)(?:['’](?:s|re|ve))?\b/;
const PLURAL: Readonly<Record<string, string>> = { are: "is", have: "has", were: "was", do: "does" };

/** The name that the first sentence of a summary starts with, if at least one more sentence starts with it. */
export function findSubjectName(sentences: readonly string[]): string | undefined {
  const name = /^(\p{Lu}[\p{Ll}'’-]+)(?:['’]s)? (?:\p{Lu}[\p{Ll}-]+ )?\p{Ll}/u.exec(sentences[0] ?? "")?.[1];
  if (name === undefined || /^(?:User|The|They|She|He|This|That|In|At|As|For|With|Their|His|Her|It)$/.test(name))
    return undefined;
  return sentences.filter((sentence) => beginsWith(sentence, name)).length >= 2 ? name : undefined;
}

/** Rewrites a sentence about a person by name as a statement about the user. */
export function namedToUserStatement(sentence: string, name: string): string {
  if (beginsWith(sentence, name)) {
    const rest = sentence.slice(name.length);
    return `User${/^ \p{Lu}[\p{Ll}-]+ \p{Ll}/u.test(rest) ? rest.replace(/^ \p{Lu}[\p{Ll}-]+/u, "") : rest}`.replace(
      /[.]$/,
      "",
    );
  }
  const text = sentence.replace(/^(?:His|Her|Their)\b/, "User's").replace(/[.]$/, "");
  if (!PRONOUN.test(text)) return text;
  const isPlural = text.startsWith("They");
  const rest = text
    .replace(/^They['’]re\b/, "They are")
    .replace(/^They['’]ve\b/, "They have")
    .replace(/^(?:He|She)['’]s\b/, "He is")
    .replace(/^(?:He|She|They)\b/, "User");
  return isPlural ? rest.replace(/^User ([a-z]+)\b/, (_all, verb: string) => `User ${agreeWithUser(verb)}`) : rest;
}

function agreeWithUser(verb: string): string {
  return PLURAL[verb] ?? (verb.endsWith("ly") ? verb : agree(verb));
}

function beginsWith(sentence: string, name: string): boolean {
  return sentence.startsWith(`${name} `) || sentence.startsWith(`${name}'s `) || sentence.startsWith(`${name}’s `);
}
