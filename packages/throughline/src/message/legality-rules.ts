import type { Message, Role } from "./message.ts";
import type { ForeignFormat, Part } from "./part.ts";

export type Provider = "openai" | "anthropic" | "gemini";

export const PROVIDERS: readonly Provider[] = ["openai", "anthropic", "gemini"];

/** Rules of one provider, beyond those that all providers share. */
export interface ProviderRules {
  readonly name: string;
  readonly firstIsUser: boolean;
  /**
   * User and assistant messages must alternate. Anthropic's and Gemini's own endpoints merge consecutive messages, but
   * Bedrock, Vertex and older endpoints refuse them, and a window must be legal on all of them.
   */
  readonly alternates: boolean;
  readonly systemOnlyFirst: boolean;
  readonly toolCallId: RegExp | undefined;
  readonly toolName: RegExp;
  /** Results are sent with the name of their tool. */
  readonly namesResults: boolean;
  /** The input of a call must be an object. */
  readonly wantsObjectInput: boolean;
  /** A call that the provider ran must have its result beside it, unless it may still be running. */
  readonly wantsProvidedResult: boolean;
  /** Formats whose opaque parts reach the model: the AI SDK's and the provider's own. */
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

/** A tool call id that every provider accepts. */
export const PORTABLE_TOOL_CALL_ID = /^[a-zA-Z0-9_-]{1,40}$/;

/** A tool name that every provider accepts. */
export const PORTABLE_TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** True if the part reaches the model with content. Opaque parts count only if their format is in `opaque`. */
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

/** True if messages of that role may contain the part. */
export function isAllowedIn(role: Role, part: Part): boolean {
  return PARTS_OF[role].includes(part.type);
}

/** True if two consecutive messages belong to the same user or assistant turn. */
export function isSameTurn(before: Message | undefined, message: Message): boolean {
  return before?.role === message.role && (message.role === "user" || message.role === "assistant");
}
