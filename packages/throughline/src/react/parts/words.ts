import { SecretRefusedError } from "../../errors/secret-refused-error.ts";

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
  return error instanceof Error ? error.message : String(error);
}

/** "User" before a verb, not in "user stories are" or "user interface". */
const SUBJECT = /^(?:the )?user (?=(?:cannot|can|did|does|has|is|was|will|would|\p{L}+(?:s|ed)) (?!are\b))/iu;

/**
 * Returns the text of a fact as a person reads it about themselves: "User lives in Oslo" becomes "Lives in Oslo".
 *
 * @param text Text of the fact.
 *
 * @example
 * showFact("User lives in Oslo"); // "Lives in Oslo"
 */
export function showFact(text: string): string {
  const bare = text.replace(SUBJECT, "").replace(/^(?:the )?(?:user|project)['’]s (?=\p{L})/iu, "");
  return bare.charAt(0).toUpperCase() + bare.slice(1);
}
