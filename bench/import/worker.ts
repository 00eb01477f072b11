import { readFileSync } from "node:fs";
import process from "node:process";
import { parseTranscript } from "throughline";
import { countTotalTokens } from "throughline/tokens";

// Parses transcripts and counts their tokens: the least work of an import.
let tokens = 0;
for (const file of process.argv.slice(2)) {
  const { sessions } = parseTranscript(readFileSync(file, "utf8"), "claude-code");
  for (const { messages } of sessions) tokens += countTotalTokens(messages);
}
console.log(tokens);
