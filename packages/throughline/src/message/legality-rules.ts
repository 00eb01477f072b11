import type { Message, Role } from "./message.ts";
import type { ForeignFormat, Part } from "./part.ts";

export type Provider = "openai" | "anthropic" | "gemini";

export const PROVIDERS: readonly Provider[] = ["openai", "anthropic", "gemini"];

/** What a provider asks of a window beyond the rules that all of them share. */
export interface ProviderRules {
  readonly name: string;
  readonly firstIsUser: boolean;
  /**
   * User and assistant take turns. Anthropic's own endpoint and Gemini's join what follows each other, but Bedrock's,
   * Vertex's and the older ones refuse it, and a window has to pass everywhere.
   */
  readonly alternates: boolean;
  readonly systemOnlyFirst: boolean;
  readonly toolCallId: RegExp | undefined;
  readonly toolName: RegExp;
  /** A result is sent with the name of its tool, too. */
  readonly namesResults: boolean;
  /** The input of a call has to be an object. */
  readonly wantsObjectInput: boolean;
  /** A call that the provider ran itself has its result beside it, unless it may still be running. */
  readonly wantsProvidedResult: boolean;
  /** Whose unknown parts reach the model: the AI SDK's, and those of the provider's own forms. */
  readonly opaque: readonly ForeignFormat[];
}

export const PROVIDER_RULES: Readonly<Record<Provider, ProviderRules>> = {
  openai: {
    name: "OpenAI",
    firstIsUser: false,
    alternates: false,
    systemOnlyFirst: false,
    toolCallId: /^[\s\S]{1,40}$/,
    toolName: /^[a-zA-Z0-9_-]{1,64}$/,
    namesResults: false,
    wantsObjectInput: false,
    wantsProvidedResult: false,
    opaque: ["ai-sdk", "openai-chat", "openai-responses"],
  },
  anthropic: {
    name: "Anthropic",
    firstIsUser: true,
    alternates: true,
    systemOnlyFirst: true,
    toolCallId: /^[a-zA-Z0-9_-]+$/,
    toolName: /^[a-zA-Z0-9_-]{1,128}$/,
    namesResults: false,
    wantsObjectInput: true,
    wantsProvidedResult: true,
    opaque: ["ai-sdk", "anthropic"],
  },
  gemini: {
    name: "Gemini",
    firstIsUser: true,
    alternates: true,
    systemOnlyFirst: true,
    toolCallId: undefined,
    toolName: /^[a-zA-Z0-9_-]{1,64}$/,
    namesResults: true,
    wantsObjectInput: true,
    wantsProvidedResult: false,
    opaque: ["ai-sdk", "gemini"],
  },
};

/** An id of a call that every provider takes. */
export const PORTABLE_TOOL_CALL_ID = /^[a-zA-Z0-9_-]{1,40}$/;

/** The name of a tool that every provider takes. */
export const PORTABLE_TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** A part that reaches the model and says something there. Of those that we do not know, only these formats' do. */
export function isSubstance(part: Part, opaque: readonly ForeignFormat[]): boolean {
  switch (part.type) {
    case "text":
      return part.text.trim() !== "";
    case "compaction-marker":
      return part.summary.trim() !== "";
    case "reasoning":
    case "reasoning-file":
    case "step-start":
      return false;
    case "opaque":
      return opaque.includes(part.format);
    default:
      return true;
  }
}

const PARTS_OF: Readonly<Record<Role, readonly Part["type"][]>> = {
  system: ["text", "opaque"],
  user: ["text", "file", "opaque"],
  assistant: [
    "text",
    "file",
    "reasoning",
    "reasoning-file",
    "tool-call",
    "tool-result",
    "tool-approval-request",
    "step-start",
    "compaction-marker",
    "opaque",
  ],
  tool: ["tool-result", "tool-approval-response", "opaque"],
};

/** Whether a message of that role may hold the part. */
export function isAllowedIn(role: Role, part: Part): boolean {
  return PARTS_OF[role].includes(part.type);
}

/** Two messages that follow each other and are one turn of one side; a run of results is not. */
export function isSameTurn(before: Message | undefined, message: Message): boolean {
  return before?.role === message.role && (message.role === "user" || message.role === "assistant");
}
