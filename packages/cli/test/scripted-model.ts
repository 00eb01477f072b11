import type { ServerResponse } from "node:http";
import {
  type Answering,
  type ChatServer,
  chatServer,
  sendError,
  sendJson,
  sendText,
} from "../../throughline/src/model/chat-server.fixture.ts";

/** A request that the model received. */
type Task = "facts" | "comparison" | "shorter" | "summary";

/** Responses of the server. */
export interface Script {
  /** Facts to return if the conversation contains their quote. */
  readonly facts?: readonly { readonly quote: string }[];
  /** The relation to return between a new statement and all stored ones. */
  readonly relation?: string;
  /** Wraps each response, for example with reasoning. */
  readonly wrap?: (text: string) => string;
  /** Replaces the scripted response. */
  readonly instead?: (response: ServerResponse, task: Task) => void;
}

export interface ScriptedModel extends ChatServer {
  /** Requests so far. */
  tasks(): readonly Task[];
}

/** An OpenAI-compatible endpoint with one model that is not for embeddings, `tiny`. */
export async function scriptedModel(script: Script): Promise<ScriptedModel> {
  const server = await chatServer((response, asked, index) => answer(script, response, asked, index));
  const tasks = () => server.asked.flatMap(({ body }) => (body.messages === undefined ? [] : [taskOf(body)]));
  return { ...server, tasks };
}

function answer(script: Script, ...[response, { path, body }]: Parameters<Answering>): void {
  if (path.endsWith("/models")) sendJson(response, 200, { data: [{ id: "small-embed" }, { id: "tiny" }] });
  else if (path.endsWith("/embeddings")) sendVectors(response, body.input as readonly string[]);
  else if (script.instead !== undefined) script.instead(response, taskOf(body));
  else {
    const { wrap = (text: string) => text } = script;
    sendText(response, wrap(replyTo(taskOf(body), messageOf(body, "user"), script)));
  }
}

function replyTo(task: Task, prompt: string, { facts = [], relation = "compatible" }: Script): string {
  if (task === "facts") {
    const found = facts.filter(({ quote }) => prompt.includes(quote));
    return JSON.stringify(found.map((fact) => ({ category: "preference", confidence: "high", ...fact })));
  }
  if (task === "comparison") {
    const stored = prompt.match(/<stored-\d+>/g) ?? [];
    return JSON.stringify(stored.map((_, at) => ({ stored: at + 1, relation })));
  }
  return "Sorry, I cannot do that.";
}

function taskOf(body: Readonly<Record<string, unknown>>): Task {
  const system = messageOf(body, "system");
  if (system.includes("worth remembering")) return "facts";
  if (system.includes("compare a new statement")) return "comparison";
  return system.includes("shorten memories") ? "shorter" : "summary";
}

function messageOf({ messages }: Readonly<Record<string, unknown>>, role: string): string {
  const list = messages as readonly { readonly role: string; readonly content: string }[];
  return list.find((message) => message.role === role)?.content ?? "";
}

/** A vector with one dimension per first letter. */
function sendVectors(response: ServerResponse, input: readonly string[]): void {
  const data = input.map((text, index) => {
    const embedding = Array.from({ length: 26 }, (_, at) => (text.toLowerCase().charCodeAt(0) % 26 === at ? 1 : 0.1));
    return { index, embedding };
  });
  sendJson(response, 200, { data });
}

/** Fails at once, without the pauses between retries. */
export function failing(status: number, message: string): NonNullable<Script["instead"]> {
  return (response) => sendError(response, status, message, { "retry-after-ms": "1" });
}
