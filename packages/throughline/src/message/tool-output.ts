import type { ProviderOptions } from "./part.ts";

/** One item of a tool output with several items. Kinds other than text are kept unchanged. */
export interface ToolContentItem {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Output of a tool, in the AI SDK's form. */
export type ToolOutput =
  | {
      readonly type: "text" | "error-text";
      readonly value: string;
      readonly providerOptions?: ProviderOptions;
    }
  | {
      readonly type: "json" | "error-json";
      readonly value: unknown;
      readonly providerOptions?: ProviderOptions;
    }
  | {
      readonly type: "execution-denied";
      readonly reason?: string;
      readonly providerOptions?: ProviderOptions;
    }
  | {
      readonly type: "content";
      readonly value: readonly ToolContentItem[];
      readonly providerOptions?: ProviderOptions;
    };

/** Converts any value to a tool output: a tool output stays, a string becomes text, everything else JSON. */
export function toToolOutput(value: unknown): ToolOutput {
  if (isToolOutput(value)) return value;
  return typeof value === "string" ? { type: "text", value } : { type: "json", value: value ?? null };
}

/** Text of an output as the model reads it. Files are shown with their media type only. */
export function toolOutputText(output: ToolOutput): string {
  switch (output.type) {
    case "text":
    case "error-text":
      return output.value;
    case "execution-denied":
      return output.reason ?? "The call was denied.";
    case "content":
      return output.value.map(contentItemText).join("\n");
    default:
      return JSON.stringify(output.value) ?? "null";
  }
}

export function isErrorOutput(output: ToolOutput): boolean {
  return output.type === "error-text" || output.type === "error-json" || output.type === "execution-denied";
}

function contentItemText(item: ToolContentItem): string {
  if (item.type === "text" && typeof item.text === "string") return item.text;
  return typeof item.mediaType === "string" ? `[${item.type}: ${item.mediaType}]` : `[${item.type}]`;
}

/** True for a tool output in this form. */
export function isToolOutput(value: unknown): value is ToolOutput {
  if (typeof value !== "object" || value === null || !("type" in value)) return false;
  const candidate = value as {
    type: unknown;
    value?: unknown;
    reason?: unknown;
  };
  switch (candidate.type) {
    case "text":
    case "error-text":
      return typeof candidate.value === "string";
    case "json":
    case "error-json":
      return candidate.value !== undefined;
    case "execution-denied":
      return candidate.reason === undefined || typeof candidate.reason === "string";
    case "content":
      return Array.isArray(candidate.value) && candidate.value.every(isContentItem);
    default:
      return false;
  }
}

function isContentItem(item: unknown): boolean {
  return typeof item === "object" && item !== null && typeof (item as { type?: unknown }).type === "string";
}
