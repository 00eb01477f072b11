import { type AIMessage, type BaseMessage, trimMessages } from "@langchain/core/messages";
import { countTokens, type Message } from "throughline";
import { toLangChain } from "../compaction/windows/langchain-trim.ts";
import { makeExchange } from "./make-session.ts";
import { measureMemory } from "./measure-memory.ts";
import { type Measurement, median } from "./prepare-times.ts";

const NEXT_TURNS = 5;
const ROLE_TOKENS = 4;

type Count = (message: BaseMessage) => number;

/** `trimMessages` with a counter that counts each message once, or on every call (`plain`). */
export async function measureLangChain(
  messages: readonly Message[],
  tokens: number,
  budget: number,
  counter: "plain" | "remembered",
): Promise<Measurement> {
  const list = messages.flatMap((message, index) => toLangChain(message, index, new Map()));
  const start = measureMemory();
  const count = counter === "plain" ? countMessage : remember(countMessage);
  const trim = (all: BaseMessage[]) =>
    trimMessages(all, {
      maxTokens: budget,
      tokenCounter: (some) => some.reduce((sum, message) => sum + count(message), 0),
      strategy: "last",
      startOn: ["human", "ai"],
      includeSystem: true,
    });
  const [first, kept] = await time(() => trim(list));
  const next: number[] = [];
  for (let turn = 0; turn < NEXT_TURNS; turn += 1) {
    const index = messages.length + turn;
    list.push(
      ...makeExchange(1_000_000 + turn).flatMap((message, m) => toLangChain(message, index * 10 + m, new Map())),
    );
    next.push((await time(() => trim(list)))[0]);
  }
  const memory = measureMemory() - start;
  const windowTokens = kept.reduce((sum, message) => sum + countMessage(message), 0);
  const method = `LangChain trimMessages, counts ${counter === "plain" ? "each time" : "remembered"}`;
  return { method, tokens, load: 0, first, next: median(next), memory, windowTokens };
}

function countMessage(message: BaseMessage): number {
  const calls = (message as AIMessage).tool_calls ?? [];
  const text = typeof message.content === "string" ? message.content : JSON.stringify(message.content);
  return ROLE_TOKENS + countTokens(text) + calls.reduce((sum, { args }) => sum + countTokens(JSON.stringify(args)), 0);
}

/** By id, because `trimMessages` copies the messages before it asks for their size. */
function remember(count: Count): Count {
  const known = new Map<string, number>();
  return (message) => {
    const id = message.id ?? "";
    const tokens = known.get(id) ?? count(message);
    known.set(id, tokens);
    return tokens;
  };
}

async function time<T>(work: () => Promise<T>): Promise<[number, T]> {
  const start = performance.now();
  const result = await work();
  return [performance.now() - start, result];
}
