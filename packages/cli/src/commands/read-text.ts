import process from "node:process";
import { UsageError } from "../usage-error.ts";

/** Longer input is not a memory, and is not read to its end. */
const MAX_BYTES = 1_000_000;

/** The arguments as one text; standard input for `-`, or for no arguments if input is piped. */
export async function readText(words: readonly string[], missing: UsageError): Promise<string> {
  const isPiped = words.length === 0 ? !process.stdin.isTTY : words.length === 1 && words[0] === "-";
  const text = isPiped ? await readInput() : words.join(" ");
  if (text.trim() === "") throw missing;
  return text;
}

async function readInput(): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_BYTES)
      throw new UsageError(
        "The text on standard input is too long for one memory.",
        "Give one statement, in a sentence.",
      );
  }
  return Buffer.concat(chunks).toString();
}
