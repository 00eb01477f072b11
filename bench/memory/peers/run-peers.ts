import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import type { Conversation } from "../recall/conversation.ts";
import { readLocomo } from "../recall/read-locomo.ts";
import { measureRecall, newScore, type RecallScore } from "./measure-recall.ts";
import { measureSize } from "./measure-size.ts";
import { mixedQuestions } from "./mixed-turns.ts";
import type { Absence, Peer } from "./peer.ts";
import { disableTelemetry, loadPeer, PEERS } from "./peer-registry.ts";
import { type PeerScore, type PeerSize, printOwnAccord, printRecall, printSizes, sizeCells } from "./print-peers.ts";

const USAGE = `Usage: npm run bench -- memory peers --data FOLDER [--peers FOLDER] [--turns 10000,…] [--only NAME,…]
  [--fill-minutes 15] [--no-conversations]
FOLDER of --data holds locomo, beam, msc_personasummary and claude-code; other packages are looked for in --peers.
A package that uses more than --fill-minutes of CPU time to be filled, or four times as long with waiting, is stopped.
`;

/** Compares memory and search packages on the questions of LoCoMo, in one run and without a model. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      data: { type: "string" },
      peers: { type: "string" },
      turns: { type: "string", default: "10000" },
      only: { type: "string" },
      "fill-minutes": { type: "string", default: "15" },
      conversations: { type: "boolean", default: true },
    },
  });
  const sizes = values.turns === "" ? [] : values.turns.split(",").map(Number);
  const minutes = Number(values["fill-minutes"]);
  const { data, peers } = values;
  if (data === undefined || sizes.some((size) => !Number.isInteger(size) || size < 1) || !(minutes > 0)) {
    process.stderr.write(USAGE);
    return 2;
  }
  const conversations = await readLocomo(path.join(data, "locomo"));
  const only = values.only?.toLowerCase().split(",");
  const names = Object.keys(PEERS).filter((name) => only?.some((one) => name.toLowerCase().startsWith(one)) ?? true);
  const scratch = mkdtempSync(path.join(tmpdir(), "throughline-peers-"));
  try {
    disableTelemetry(scratch);
    const measured: PeerSize[] = [];
    for (const turns of sizes) {
      for (const name of names) {
        process.stderr.write(`${name}, ${turns} turns …\n`);
        const questions = mixedQuestions(conversations);
        const size = await measureSize(name, turns, { data, peers, scratch, questions, minutes });
        measured.push({ name, turns, measured: size });
        process.stderr.write(`${sizeCells({ name, turns, measured: size }).join("  ")}\n`);
      }
    }
    const isComplete = !values.conversations || (await printConversations(names, { peers, scratch, conversations }));
    printSizes(measured);
    explain(
      "Times are CPU time of the process with all of its threads. The turns are the conversations once and different real",
      "sentences of other sources; recall is that of the questions about the conversations. Cold start: opening what is",
      "stored and the first question, in a new process in which the package and the embedder are loaded. RSS and heap are",
      "the growth since before opening; the RSS has native memory and garbage too. Ours extracts facts as well.",
    );
    return isComplete ? 0 : 1;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

interface ConversationOptions {
  readonly peers: string | undefined;
  readonly scratch: string;
  readonly conversations: readonly Conversation[];
}

/** Prints what the packages find with one index per conversation. Returns `false` if one of them fails. */
async function printConversations(names: readonly string[], options: ConversationOptions): Promise<boolean> {
  const scores: PeerScore[] = [];
  const absent: Absence[] = [];
  for (const name of names) {
    process.stderr.write(`${name}, conversations …\n`);
    try {
      const peer = await loadPeer(name, options.peers);
      if (peer === undefined) absent.push({ name, reason: NOT_INSTALLED });
      else scores.push({ name, score: await scorePeer(peer, options) });
    } catch (error) {
      absent.push({ name, reason: `fails: ${error instanceof Error ? error.message : String(error)}` });
    }
  }
  printRecall(scores, absent);
  explain(
    "Share of the evidence turns among the first k, mean over the questions of categories 1 to 4. The settings of all of",
    "them, ours too, were chosen on these conversations.",
  );
  printOwnAccord(scores);
  explain(
    "Foreign questions are those of the other conversations, which nothing answers. Each is asked for ten with no threshold",
    "set. Ours returns nothing if nothing fits, by a model that was fitted on these conversations.",
  );
  if (absent.some(({ reason }) => reason === NOT_INSTALLED))
    explain(INSTALL, "installs the others; then --peers FOLDER.");
  return absent.every(({ reason }) => reason === NOT_INSTALLED);
}

async function scorePeer(peer: Peer, { conversations, scratch }: ConversationOptions): Promise<RecallScore> {
  const score = newScore();
  for (const conversation of conversations) {
    const open = await peer.open(conversation.turns, mkdtempSync(path.join(scratch, "conversation-")));
    const others = conversations.filter((other) => other !== conversation);
    await measureRecall(open, conversation, others, score);
    await open.close();
  }
  return score;
}

/** Optional packages. Nothing is compiled: mem0 runs without its native dependency. */
const INSTALL = [
  "npm install --ignore-scripts --prefix FOLDER mem0ai@3.3.1 better-sqlite3@12.11.1 natural@8.1.1",
  "@mastra/core@1.71.0 @mastra/memory@1.31.0 @mastra/libsql@1.23.1 @langchain/core@1.2.13 @langchain/classic@1.0.50",
  "@lancedb/lancedb@0.39.0 apache-arrow@18.1.0",
].join(" ");

const NOT_INSTALLED = "not installed";

function explain(...lines: readonly string[]): void {
  console.log(`\n${lines.join("\n")}\n`);
}
