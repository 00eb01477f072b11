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
