import { writeFileSync } from "node:fs";
import { join } from "node:path";
import cl100k from "gpt-tokenizer/bpeRanks/cl100k_base";
import o200k from "gpt-tokenizer/bpeRanks/o200k_base";
import { libraryFolder } from "../run/paths.mjs";
import { Failure, runTool } from "../run/run-tool.mjs";

// Writes the token ranks that ship with the package. Run by hand, when an encoding is added:
//   node tools/data/make-token-ranks.mjs
// The tokens are OpenAI's (MIT license), as the package gpt-tokenizer has them. The format is described in
// packages/throughline/src/tokens/bpe/token-ranks.ts.

const encoder = new TextEncoder();

/** @param {readonly (string | readonly number[] | undefined)[]} ranks */
function encode(ranks) {
  const tokens = Array.from(ranks, (token) =>
    typeof token === "string" ? encoder.encode(token) : Uint8Array.from(token ?? []),
  );
  if (tokens.some(({ length }) => length > 255)) throw new Failure("A token has more than 255 bytes.");
  const count = new DataView(new ArrayBuffer(4));
  count.setUint32(0, tokens.length, true);
  return Buffer.concat([new Uint8Array(count.buffer), Uint8Array.from(tokens, ({ length }) => length), ...tokens]);
}

await runTool(async () => {
  const file = join(libraryFolder, "src", "tokens", "bpe", "token-ranks.bin");
  writeFileSync(file, Buffer.concat([encode(o200k), encode(cl100k)]));
  console.log(`Written: ${file}`);
});
