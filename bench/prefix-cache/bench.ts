import process from "node:process";
import { parseArgs } from "node:util";
import type { Message } from "throughline";
import { openThroughline } from "../compaction/bench-throughline.ts";
import { printTable } from "../print-table.ts";
import { type LongSession, readSessions } from "../real-sessions.ts";
import { forgetCounts } from "./part-facts.ts";
import { dropOldest } from "./policies/drop-oldest.ts";
import { aiSdkPruneAtLimit, aiSdkPruneTurns, langchainTrimTurns } from "./policies/libraries.ts";
import { maskingAtLimit, maskingEachTurn } from "./policies/masking.ts";
import { middleOutTurns } from "./policies/middle-out.ts";
import { spec3Turns, spec5Turns } from "./policies/specs.ts";
import { throughlineTurns } from "./policies/throughline-turns.ts";
import { type Bill, emptyBill, priceRequest, priceSummarizer } from "./price-requests.ts";
import type { TurnPolicy } from "./turn-policy.ts";

const OURS = "throughline";
const REFERENCE = dropOldest("nothing, then drop oldest", 1);
const BASELINES: readonly TurnPolicy[] = [
  REFERENCE,
  dropOldest("drop oldest half at the limit", 0.5),
  middleOutTurns("middle-out, each turn", 1),
  middleOutTurns("middle-out, down to half", 0.5),
  maskingEachTurn,
  maskingAtLimit,
  aiSdkPruneTurns,
  aiSdkPruneAtLimit,
  langchainTrimTurns,
  spec3Turns,
  spec5Turns,
];

/** Measures the cost of real sessions with a provider's prompt cache, by policy. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      data: { type: "string" },
      sessions: { type: "string", default: "8" },
      budgets: { type: "string", default: "32000,64000" },
      policy: { type: "string", default: "" },
    },
  });
  if (values.data === undefined) {
    process.stderr.write(
      "Usage: npm run bench -- prefix-cache --data FOLDER [--sessions N] [--budgets 32000,64000] [--policy NAME]\n",
    );
    return 2;
  }
  const budgets = values.budgets.split(",").map(Number);
  const wanted = { count: Number(values.sessions), minTokens: Math.max(...budgets) };
  const sessions = await readSessions(values.data, "claude-code", wanted);
  const throughline = await openThroughline();
  if (throughline === undefined) process.stderr.write("This build has no sessions yet: baselines alone.\n");
  const all = throughline === undefined ? BASELINES : [...BASELINES, throughlineTurns(throughline)];
  const policies = all.filter((policy) => policy === REFERENCE || policy.name.includes(values.policy));
  const tokens = sessions.reduce((sum, session) => sum + session.tokens, 0);
  console.log(`${sessions.length} sessions, ${tokens.toLocaleString("en-US")} tokens; write 1.25, read 0.1, else 1.`);
  let isKept = true;
  for (const budget of budgets) isKept = printBudget(budget, await replayAll(sessions, policies, budget)) && isKept;
  await throughline?.close();
  return isKept && throughline !== undefined ? 0 : 1;
}

async function replayAll(
  sessions: readonly LongSession[],
  policies: readonly TurnPolicy[],
  budget: number,
): Promise<Map<string, Bill>> {
  const bills = new Map(policies.map((policy) => [policy.name, emptyBill()]));
  for (const { id, messages } of sessions) {
    for (const policy of policies) {
      const bill = bills.get(policy.name);
      if (bill !== undefined) addBill(bill, await replaySession(id, messages, policy, budget));
    }
    forgetCounts();
  }
  return bills;
}

/** Returns true if Throughline stayed within the budget. */
function printBudget(budget: number, bills: ReadonlyMap<string, Bill>): boolean {
  const reference = bills.get(REFERENCE.name)?.cost ?? 1;
  console.log(`\nBudget ${budget.toLocaleString("en-US")}`);
  printTable(
    ["policy", "cost", "mean window", "from the cache", "price of a token", "summarizer tokens", "over budget"],
    [...bills].map(([name, bill]) => [
      name,
      (bill.cost / reference).toFixed(3),
      Math.round(bill.tokens / bill.requests),
      `${((100 * bill.read) / bill.tokens).toFixed(1)}%`,
      (bill.cost / bill.tokens).toFixed(3),
      bill.summarizer,
      bill.overBudget,
    ]),
  );
  const ours = bills.get(OURS);
  if (ours === undefined) return true;
  const [bestName, best] = [...bills]
    .filter(([name]) => name !== OURS)
    .reduce((least, entry) => (entry[1].cost < least[1].cost ? entry : least));
  const relation = `${(ours.cost / best.cost).toFixed(3)} of ${bestName}`;
  console.log(`${ours.cost <= best.cost ? "met" : "FAILS"}  at or below the cheapest baseline: ${relation}`);
  return ours.overBudget === 0;
}

/** Each assistant message was one request: prices the windows of this policy in order. */
async function replaySession(
  sessionId: string,
  messages: readonly Message[],
  policy: TurnPolicy,
  budget: number,
): Promise<Bill> {
  const bill = emptyBill();
  const replay = policy.start(sessionId, budget);
  let before: readonly Message[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role !== "assistant") continue;
    const { window, summarizerTokens = 0 } = await replay.next(messages.slice(0, index));
    if (summarizerTokens > 0) priceSummarizer(bill, summarizerTokens);
    priceRequest(bill, before, window, budget);
    before = window;
  }
  return bill;
}

function addBill(sum: Bill, bill: Bill): void {
  sum.requests += bill.requests;
  sum.cost += bill.cost;
  sum.tokens += bill.tokens;
  sum.read += bill.read;
  sum.summarizer += bill.summarizer;
  sum.overBudget += bill.overBudget;
}
