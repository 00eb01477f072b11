import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import type { Conversation, SaidTurn } from "../recall/conversation.ts";
import { readLocomo } from "../recall/read-locomo.ts";
import { answerable, measureRecall, newScore } from "./measure-recall.ts";
import { bytesOfFiles, fill, timeQuestions, timeReopen } from "./measure-speed.ts";
import { fts5 } from "./packages/fts5.ts";
import { LANCEDB, loadLanceDb } from "./packages/lancedb.ts";
import { LANGCHAIN, loadLangChain } from "./packages/langchain.ts";
import { loadMastra, MASTRA } from "./packages/mastra.ts";
import { loadMem0, MEM0 } from "./packages/mem0.ts";
import { miniSearch } from "./packages/minisearch.ts";
import { oramaFullText, oramaHybrid } from "./packages/orama.ts";
import { throughline } from "./packages/throughline.ts";
import type { Absence, OpenPeer, Peer } from "./peer.ts";
import { type PeerResult, printOwnAccord, printRecall, printSpeed, type Timed } from "./print-peers.ts";

const USAGE = "Usage: npm run bench -- memory peers --data FOLDER [--peers FOLDER] [--turns 10000,…] [--only NAME,…]\n";
/** Questions to the large index. */
const TIMED_QUESTIONS = 100;

/** Compares memory and search packages on the questions of LoCoMo, in one run and without a model. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      data: { type: "string" },
      peers: { type: "string" },
      turns: { type: "string", default: "10000" },
      only: { type: "string" },
    },
  });
  const sizes = values.turns === "" ? [] : values.turns.split(",").map(Number);
  if (values.data === undefined || sizes.some((size) => !Number.isInteger(size) || size < 1)) {
    process.stderr.write(
      `${USAGE}FOLDER of --data holds locomo/locomo-dev.json; other packages are looked for in --peers.\n`,
    );
    return 2;
  }
  const conversations = await readLocomo(path.join(values.data, "locomo"));
  const scratch = mkdtempSync(path.join(tmpdir(), "throughline-peers-"));
  try {
    const { peers, absent } = await loadPeers(values.peers, scratch);
    const only = values.only?.toLowerCase().split(",");
    const results: PeerResult[] = [];
    const failed: Absence[] = [];
    for (const peer of peers) {
      if (only !== undefined && !only.some((name) => peer.name.toLowerCase().startsWith(name))) continue;
      process.stderr.write(`${peer.name} …\n`);
      try {
        results.push(await measurePeer(peer, conversations, sizes, scratch));
      } catch (error) {
        failed.push({ name: peer.name, reason: `fails: ${error instanceof Error ? error.message : String(error)}` });
      }
    }
    print(results, [...failed, ...absent]);
    return failed.length === 0 ? 0 : 1;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function measurePeer(
  peer: Peer,
  conversations: readonly Conversation[],
  sizes: readonly number[],
  scratch: string,
): Promise<PeerResult> {
  await warmUp(peer, conversations, scratch);
  const score = newScore();
  const small: Timed[] = [];
  for (const conversation of conversations) {
    const folder = mkdtempSync(path.join(scratch, "small-"));
    const { open, ...cost } = await fill(peer, conversation.turns, folder);
    const others = conversations.filter((other) => other !== conversation);
    await measureRecall(open, conversation, others, score);
    const questions = answerable(conversation).map(({ text }) => text);
    const times = await timeQuestions(open, questions);
    small.push({ ...cost, times, ...(await closeAndReopen(peer, open, folder, questions)) });
  }
  const large: Timed[] = [];
  for (const size of sizes) large.push(await timeLarge(peer, conversations, size, scratch));
  return { name: peer.name, score, small: meanOf(small), large };
}

async function closeAndReopen(
  peer: Peer,
  open: OpenPeer,
  folder: string,
  [question = ""]: readonly string[],
): Promise<Pick<Timed, "reopenMs" | "files">> {
  await open.close();
  const files = bytesOfFiles(folder);
  const reopenMs = await timeReopen(peer, folder, question);
  return reopenMs === undefined ? { files } : { reopenMs, files };
}

/** One unmeasured run, so that the first conversation does not pay for compilation and loading. */
async function warmUp(peer: Peer, [first]: readonly Conversation[], scratch: string): Promise<void> {
  if (first === undefined) return;
  const { open } = await fill(peer, first.turns, mkdtempSync(path.join(scratch, "first-")));
  await timeQuestions(
    open,
    answerable(first).map(({ text }) => text),
  );
  await open.close();
}

/** Mean cost per conversation, and the questions of all of them. */
function meanOf(sizes: readonly Timed[]): Timed {
  const mean = (read: (one: Timed) => number) => sizes.reduce((sum, one) => sum + read(one), 0) / sizes.length;
  return {
    turns: Math.round(mean(({ turns }) => turns)),
    seconds: mean(({ seconds }) => seconds),
    memory: mean(({ memory }) => memory),
    files: mean(({ files }) => files),
    ...(sizes.every(({ reopenMs }) => reopenMs !== undefined) && { reopenMs: mean(({ reopenMs = 0 }) => reopenMs) }),
    times: sizes.flatMap(({ times }) => times),
  };
}

async function timeLarge(
  peer: Peer,
  conversations: readonly Conversation[],
  size: number,
  scratch: string,
): Promise<Timed> {
  const folder = mkdtempSync(path.join(scratch, "large-"));
  const { open, ...cost } = await fill(peer, repeat(conversations, size), folder);
  const questions = conversations.flatMap(answerable).map(({ text }) => text);
  const step = Math.max(1, Math.floor(questions.length / TIMED_QUESTIONS));
  const times = await timeQuestions(
    open,
    questions.filter((_, at) => at % step === 0),
  );
  return { ...cost, times, ...(await closeAndReopen(peer, open, folder, questions)) };
}

/** Repeats the conversations as new sessions. */
function repeat(conversations: readonly Conversation[], size: number): SaidTurn[] {
  const turns: SaidTurn[] = [];
  for (let round = 0; turns.length < size; round += 1) {
    for (const { name, turns: said } of conversations) {
      const prefix = `${round}/${name}/`;
      turns.push(...said.map((turn) => ({ ...turn, id: prefix + turn.id, sessionId: prefix + turn.sessionId })));
    }
  }
  return turns.slice(0, size);
}

/** Optional packages. Nothing is compiled: mem0 runs without its native dependency. */
const INSTALL = [
  "npm install --ignore-scripts --prefix FOLDER mem0ai@3.3.1 better-sqlite3@12.11.1 natural@8.1.1",
  "@mastra/core@1.71.0 @mastra/memory@1.31.0 @mastra/libsql@1.23.1 @langchain/core@1.2.13 @langchain/classic@1.0.50",
  "@lancedb/lancedb@0.39.0 apache-arrow@18.1.0",
].join(" ");

const NOT_INSTALLED = "not installed";

function print(results: readonly PeerResult[], absent: readonly Absence[]): void {
  printRecall(results, absent);
  explain(
    "Share of the evidence turns among the first k, mean over the questions of categories 1 to 4. The settings of all of",
    "them, ours too, were chosen on these conversations.",
  );
  printOwnAccord(results, absent);
  explain(
    "Foreign questions are those of the other conversations, which nothing answers. Each is asked for ten with no threshold",
    "set. Ours returns nothing if nothing fits, by a model that was fitted on these conversations.",
  );
  printSpeed(results, absent);
  explain(
    "The small size is one conversation, the mean of all. The larger ones repeat the conversations. Memory is objects and",
    "buffers of the process, without those of native code. Opening reads what was stored, in a process whose code is warm,",
    "with the first question. The embedder's words are in memory before, and are not counted. Ours extracts facts as well.",
  );
  if (absent.some(({ reason }) => reason === NOT_INSTALLED))
    explain(INSTALL, "installs the others; then --peers FOLDER.");
}

function explain(...lines: readonly string[]): void {
  console.log(`\n${lines.join("\n")}\n`);
}

const OPTIONAL: readonly (readonly [string, (folder: string | undefined) => Promise<Peer | undefined>])[] = [
  [LANCEDB, loadLanceDb],
  [LANGCHAIN, loadLangChain],
  [MEM0, loadMem0],
  [MASTRA, loadMastra],
];

interface LoadedPeers {
  readonly peers: readonly Peer[];
  readonly absent: readonly Absence[];
}

/** Throughline first, then the installed packages. */
async function loadPeers(folder: string | undefined, scratch: string): Promise<LoadedPeers> {
  keepToThemselves(scratch);
  const peers: Peer[] = [throughline, fts5, miniSearch, oramaFullText, oramaHybrid];
  const absent: Absence[] = [];
  for (const [name, load] of OPTIONAL) {
    try {
      const peer = await load(folder);
      if (peer === undefined) absent.push({ name, reason: NOT_INSTALLED });
      else peers.push(peer);
    } catch (error) {
      absent.push({ name, reason: `does not load: ${error instanceof Error ? error.message : String(error)}` });
    }
  }
  return { peers, absent };
}

/** Disables telemetry, writes to the home folder and banners. */
function keepToThemselves(scratch: string): void {
  Object.assign(process.env, {
    MEM0_TELEMETRY: "false",
    MEM0_DIR: scratch,
    MASTRA_TELEMETRY_DISABLED: "1",
    LANCEDB_LOG: "error",
    DOTENV_CONFIG_QUIET: "true",
  });
}
