import * as v7 from "ai";
import { MockLanguageModelV4 } from "ai/test";
import * as v6 from "ai-v6";
import { MockLanguageModelV3 } from "ai-v6/test";
import { isLong } from "../../test/long-tests.ts";
import type { Message } from "../message/message.ts";
import type { Session } from "../session/session.ts";
import type { SessionOptions } from "../session/session-options.ts";
import { createThroughline } from "../throughline.ts";
import type { ThroughlineOptions } from "../throughline-api.ts";
import { type MiddlewareOptions, middleware } from "./middleware.ts";
import { type PrepareStepOptions, prepareStep } from "./prepare-step.ts";
import { persist } from "./stream-turn.ts";

/** Both versions of the AI SDK behind one interface, with their own mock models, so that every test runs on both. */

// biome-ignore lint/suspicious/noExplicitAny: the same options go to two versions whose types differ.
type Loose = any;

/** One part of a model's answer. */
export type Content = Record<string, unknown> & { readonly type: string };

/** Answers a prompt. May throw like a provider. */
export type Answering = (prompt: readonly Prompted[], call: number) => readonly Content[];

export interface Prompted {
  readonly role: string;
  readonly content: string | readonly Record<string, unknown>[];
}

interface ScriptedModel {
  readonly model: Loose;
  /** All prompts that the model received. */
  readonly prompts: readonly (readonly Prompted[])[];
}

export interface Sdk {
  readonly name: string;
  readonly sdk: Loose;
  /** Name of the step callback. */
  readonly onStep: "onStepEnd" | "onStepFinish";
  model(answer: Answering): ScriptedModel;
}

const OUTPUT = { total: 5, text: 5, reasoning: 0 };

export function usageOf(total: number) {
  return { inputTokens: { total, noCache: total, cacheRead: 0, cacheWrite: 0 }, outputTokens: OUTPUT };
}

function scripted(Mock: Loose, sdk: Loose, answer: Answering): ScriptedModel {
  const prompts: (readonly Prompted[])[] = [];
  const reply = (prompt: readonly Prompted[]) => {
    prompts.push(structuredClone(prompt) as readonly Prompted[]);
    const content = answer(prompt, prompts.length - 1);
    const unified = content.some(({ type, providerExecuted }) => type === "tool-call" && !providerExecuted)
      ? "tool-calls"
      : "stop";
    return { content, finishReason: { unified, raw: unified }, usage: usageOf(JSON.stringify(prompt).length / 4) };
  };
  const model = new Mock({
    doGenerate: async ({ prompt }: Loose) => ({ ...reply(prompt), warnings: [] }),
    doStream: async ({ prompt }: Loose) => {
      const { content, ...end } = reply(prompt);
      const chunks = [{ type: "stream-start", warnings: [] }, ...content.flatMap(chunksOf), { type: "finish", ...end }];
      return { stream: sdk.simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }) };
    },
  });
  return { model, prompts };
}

function chunksOf(part: Content, index: number): Content[] {
  if (part.type !== "text" && part.type !== "reasoning") return [part];
  const { text, providerMetadata } = part as { text?: string; providerMetadata?: unknown };
  const id = `${index}`;
  const words = (text ?? "").match(/\S+\s*|\s+/g) ?? [];
  return [
    { type: `${part.type}-start`, id },
    ...words.map((delta) => ({ type: `${part.type}-delta`, id, delta })),
    { type: `${part.type}-end`, id, ...(providerMetadata === undefined ? {} : { providerMetadata }) },
  ];
}

export const SDKS: readonly Sdk[] = [
  {
    name: "7",
    sdk: v7,
    onStep: "onStepEnd",
    model: (answer) => scripted(MockLanguageModelV4, v7, answer),
  },
  {
    name: "6",
    sdk: v6,
    onStep: "onStepFinish",
    model: (answer) => scripted(MockLanguageModelV3, v6, answer),
  },
];

/** For tests whose behaviour is that of the session: `npm test` runs them with the newest version. */
export const SESSION_SDKS: readonly Sdk[] = isLong ? SDKS : SDKS.filter(({ name }) => name === "7");

export const FUNCTIONS = ["generateText", "streamText", "ToolLoopAgent"] as const;
export type SdkFunction = (typeof FUNCTIONS)[number];

/** Integration of a session into an agent. */
export interface Wiring {
  readonly prepareStep?: boolean | PrepareStepOptions;
  readonly persist?: boolean;
  readonly middleware?: boolean | MiddlewareOptions;
}

export const WIRINGS: Readonly<Record<string, Wiring>> = {
  prepareStep: { prepareStep: true },
  "prepareStep and persist": { prepareStep: true, persist: true },
  middleware: { middleware: true },
  "middleware and persist": { middleware: true, persist: true },
  "all of them": { prepareStep: true, persist: true, middleware: true },
};

/** Runs an agent of either version to its end. */
export async function runAgent(
  { sdk, onStep }: Sdk,
  use: SdkFunction,
  session: Session,
  wiring: Wiring,
  { model, steps = 100, ...options }: Loose,
): Promise<{ text: string; responseMessages: Loose[] }> {
  const orNone = (given: Loose) => (typeof given === "object" ? given : {});
  const settings = {
    model: wiring.middleware
      ? sdk.wrapLanguageModel({ model, middleware: middleware(session, orNone(wiring.middleware)) })
      : model,
    ...(wiring.prepareStep ? { prepareStep: prepareStep(session, orNone(wiring.prepareStep)) } : {}),
    ...(wiring.persist ? { [onStep]: persist(session) } : {}),
    stopWhen: sdk.stepCountIs?.(steps) ?? sdk.isStepCount(steps),
    maxRetries: 0,
  };
  const { messages, abortSignal, ...rest } = options;
  const ask = { messages, ...(abortSignal ? { abortSignal } : {}) };
  const result =
    use === "ToolLoopAgent"
      ? await new sdk.ToolLoopAgent({ ...settings, ...asInstructions(rest) }).generate(ask)
      : await sdk[use]({ ...settings, ...rest, ...ask, onError: () => undefined });
  if (use === "streamText") await result.consumeStream({ onError: (error: unknown) => void error });
  return {
    text: await result.text,
    responseMessages: (await result.responseMessages) ?? (await result.response).messages,
  };
}

function asInstructions({ system, allowSystemInMessages, ...rest }: Loose): Loose {
  return {
    ...rest,
    ...(system ? { instructions: system } : {}),
    ...(allowSystemInMessages ? { allowSystemInMessages } : {}),
  };
}

/** A window that is compacted at about 2,400 tokens, after a few tool outputs. */
export const SMALL = { contextLimit: 6_000, config: { thresholdPercent: 0.44 } } satisfies SessionOptions;

export async function openSession(options: SessionOptions & ThroughlineOptions = {}): Promise<Session> {
  const { store, model, clock = { now: () => 1_760_000_000_000 }, ...rest } = options;
  const throughline = await createThroughline({ clock, ...(store ? { store } : {}), ...(model ? { model } : {}) });
  return throughline.session("s", { modelId: "gpt-4o", contextLimit: 8_000, ...rest });
}

/** Short form of messages: one line each. */
export function inShort(messages: readonly Message[]): string[] {
  return messages.map(({ role, parts }) =>
    [
      role,
      ...parts.flatMap((part) => {
        if (part.type === "text") return [part.text.slice(0, 24)];
        if (part.type === "tool-call") return [`call ${part.toolCallId}`];
        if (part.type === "tool-result") return [`result ${part.toolCallId}`];
        return [part.type];
      }),
    ].join(" | "),
  );
}
