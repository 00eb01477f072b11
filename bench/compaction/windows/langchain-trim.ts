import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  trimMessages,
} from "@langchain/core/messages";
import { type Message, repairWindow } from "throughline";
import { countPartTokens, countTotalTokens } from "throughline/tokens";
import { readPart } from "../message-text.ts";
import type { WindowPolicy } from "../policy.ts";
import { fitTail } from "./fit-tail.ts";

const ROLE_TOKENS = 4;
/** Tokens of an opening user message, if the tail starts with the assistant. */
const OPENING_TOKENS = 32;

/** LangChain's `trimMessages` with the documented settings for chats; it may return nothing. */
export const langchainTrim: WindowPolicy = {
  name: "LangChain trimMessages, as documented",
  family: "LangChain trimMessages, as documented",
  fit: async (point, budget) => trimByLangChain(point.pre, budget, ["human"]),
};

/**
 * The same, but if no user message is near enough, it may start with the assistant after an added opening. If not even
 * the last message fits, it is shortened as in the other baselines.
 */
export const langchainTrimLegal: WindowPolicy = {
  name: "LangChain trimMessages, made legal",
  family: "LangChain trimMessages, made legal",
  fit: async (point, budget) => trimToLegal(point.pre, budget),
};

export async function trimToLegal(messages: readonly Message[], budget: number): Promise<readonly Message[]> {
  const documented = await trimByLangChain(messages, budget, ["human"]);
  const wide = await trimByLangChain(messages, budget - OPENING_TOKENS, ["human", "ai"]);
  const repaired = repairWindow(wide).messages;
  const best = countTotalTokens(repaired) > countTotalTokens(documented) ? repaired : documented;
  return best.length === 0 || countTotalTokens(best) > budget ? fitTail(messages.slice(-1), budget) : best;
}

type StartOn = ("human" | "ai")[];

async function trimByLangChain(messages: readonly Message[], budget: number, startOn: StartOn): Promise<Message[]> {
  const sources = new Map<string, { readonly message: Message; readonly tokens: number }>();
  const foreign = messages.flatMap((message, index) => toLangChain(message, index, sources));
  // The same BPE for all, with each message counted once: by default it counts again for every dropped message.
  const tokenCounter = (list: BaseMessage[]) =>
    list.reduce((sum, { id }) => sum + (sources.get(id ?? "")?.tokens ?? 0), 0);
  const kept = await trimMessages(foreign, {
    maxTokens: budget,
    tokenCounter,
    strategy: "last",
    startOn,
    includeSystem: true,
  });
  return joinTools(kept.flatMap(({ id }) => sources.get(id ?? "")?.message ?? []));
}

export function toLangChain(
  message: Message,
  index: number,
  sources: Map<string, { readonly message: Message; readonly tokens: number }>,
): BaseMessage[] {
  const remember = (id: string, parts: Message["parts"]) => {
    const tokens = parts.reduce((sum, part) => sum + countPartTokens(part), ROLE_TOKENS);
    sources.set(id, { message: { ...message, parts }, tokens });
    return id;
  };
  if (message.role === "tool") {
    return message.parts.flatMap((part, p) =>
      part.type === "tool-result"
        ? [
            new ToolMessage({
              id: remember(`${index}.${p}`, [part]),
              tool_call_id: part.toolCallId,
              content: readPart(part),
            }),
          ]
        : [],
    );
  }
  const id = remember(`${index}`, message.parts);
  const content = message.parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  if (message.role === "user") return [new HumanMessage({ id, content })];
  if (message.role === "system") return [new SystemMessage({ id, content })];
  const tool_calls = message.parts.flatMap((part) =>
    part.type === "tool-call"
      ? [{ id: part.toolCallId, name: part.toolName, args: { input: part.input }, type: "tool_call" as const }]
      : [],
  );
  return [new AIMessage({ id, content, tool_calls })];
}

/** LangChain has one message per result; Throughline has one for all results of a reply. */
function joinTools(messages: readonly Message[]): Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const before = joined.at(-1);
    if (before?.role === "tool" && before.id === message.id) {
      joined[joined.length - 1] = { ...before, parts: [...before.parts, ...message.parts] };
    } else joined.push(message);
  }
  return joined;
}
