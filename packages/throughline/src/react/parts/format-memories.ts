import { SecretRefusedError } from "../../errors/memory-errors.ts";
import { messageOf } from "../../internal/text.ts";
import { agree, describeUser } from "../../language/third-person.ts";

const SECRETS: Readonly<Record<string, string>> = {
  "api-key": "an API key",
  token: "a token",
  "private-key": "a private key",
  password: "a password",
  "card-number": "a card number",
  "account-number": "an account number",
};

/**
 * Formats a number of memories in English: "1 memory", "1,200 memories".
 *
 * @param count Number of memories.
 *
 * @example
 * countMemories(12); // "12 memories"
 */
export function countMemories(count: number): string {
  return count === 1 ? "1 memory" : `${count.toLocaleString("en")} memories`;
}

/**
 * Returns a message for the user about an error. It names no options of the API.
 *
 * @param error Any value, such as the one that `catch` gives you.
 *
 * @example
 * await book.refresh().catch((error) => console.error(explainProblem(error)));
 */
export function explainProblem(error: unknown): string {
  if (error instanceof SecretRefusedError) {
    return `This looks like ${SECRETS[error.kind] ?? "a secret"}, so it wasn't saved.`;
  }
  return messageOf(error);
}

/** "User" before a verb, not in "user stories are" or "user interface". */
const SUBJECT = /^(?:the )?user (?=(?:cannot|can|did|does|has|is|was|will|would|\p{L}+(?:s|ed)) (?!are\b))/iu;

/** Possessives before the first noun, and "is" before a description of a person. Both can be left out. */
const OWNER = /^(?:the )?(?:user|project)['’]s (?=\p{L})|^our (?=\p{L})/iu;

const BEING = /^is (?:(?:an?|the) )?(?=\p{L}|\p{N})/iu;

const DISLIKES = /^(?:does not|doesn['’]t) like (?=\S)/i;

const OWN_GROUP = /^we (\p{L}+)(?= )/iu;

/**
 * Returns the text of a fact as a short line about the person: "User lives in Oslo" and "I live in Oslo" become "Lives
 * in Oslo". Text in other languages stays.
 *
 * @param text Text of the fact.
 *
 * @example
 * showFact("I live in Oslo"); // "Lives in Oslo"
 */
export function showFact(text: string): string {
  const described = /^(?:I|My)\b/i.test(text)
    ? describeUser(text)
    : text.replace(OWN_GROUP, (_, verb: string) => agree(verb));
  const bare = described.replace(SUBJECT, "").replace(OWNER, "");
  const short = bare === text ? bare : bare.replace(BEING, "");
  const line = short.replace(DISLIKES, "dislikes ");
  return line.charAt(0).toUpperCase() + line.slice(1);
}
