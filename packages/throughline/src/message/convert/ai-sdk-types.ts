/**
 * The AI SDK's `ModelMessage`, written down here so that the package needs no copy of the SDK. A type test holds it
 * against the real types of versions 7 and 6.
 */
export type AiSdkProviderOptions = Record<string, Record<string, AiSdkJson>>;

export type AiSdkJson = null | string | number | boolean | AiSdkJson[] | { [key: string]: AiSdkJson | undefined };

export interface AiSdkTextPart {
  type: "text";
  text: string;
  providerOptions?: AiSdkProviderOptions;
}

export interface AiSdkFilePart {
  type: "file";
  data: string | Uint8Array | URL;
  mediaType: string;
  filename?: string;
  providerOptions?: AiSdkProviderOptions;
}

export interface AiSdkImagePart {
  type: "image";
  image: string | Uint8Array | URL;
  mediaType?: string;
  providerOptions?: AiSdkProviderOptions;
}

export interface AiSdkReasoningPart {
  type: "reasoning";
  text: string;
  providerOptions?: AiSdkProviderOptions;
}

export interface AiSdkToolCallPart {
  type: "tool-call";
  toolCallId: string;
  toolName: string;
  input: unknown;
  providerExecuted?: boolean;
  providerOptions?: AiSdkProviderOptions;
}

export interface AiSdkToolResultPart {
  type: "tool-result";
  toolCallId: string;
  toolName: string;
  output:
    | {
        type: "text" | "error-text";
        value: string;
        providerOptions?: AiSdkProviderOptions;
      }
    | {
        type: "json" | "error-json";
        value: AiSdkJson;
        providerOptions?: AiSdkProviderOptions;
      }
    | {
        type: "execution-denied";
        reason?: string;
        providerOptions?: AiSdkProviderOptions;
      }
    | {
        type: "content";
        value: {
          type: "text";
          text: string;
          providerOptions?: AiSdkProviderOptions;
        }[];
        providerOptions?: AiSdkProviderOptions;
      };
  providerOptions?: AiSdkProviderOptions;
}

export interface AiSdkToolApprovalRequest {
  type: "tool-approval-request";
  approvalId: string;
  toolCallId: string;
}

export interface AiSdkToolApprovalResponse {
  type: "tool-approval-response";
  approvalId: string;
  approved: boolean;
  reason?: string;
  providerExecuted?: boolean;
}

export interface AiSdkSystemMessage {
  role: "system";
  content: string;
  providerOptions?: AiSdkProviderOptions;
}

export interface AiSdkUserMessage {
  role: "user";
  content: string | (AiSdkTextPart | AiSdkImagePart | AiSdkFilePart)[];
  providerOptions?: AiSdkProviderOptions;
}

export interface AiSdkAssistantMessage {
  role: "assistant";
  content:
    | string
    | (
        | AiSdkTextPart
        | AiSdkFilePart
        | AiSdkReasoningPart
        | AiSdkToolCallPart
        | AiSdkToolResultPart
        | AiSdkToolApprovalRequest
      )[];
  providerOptions?: AiSdkProviderOptions;
}

export interface AiSdkToolMessage {
  role: "tool";
  content: (AiSdkToolResultPart | AiSdkToolApprovalResponse)[];
  providerOptions?: AiSdkProviderOptions;
}

/** A message that can be sent with the AI SDK, versions 6 and 7. */
export type ModelMessage = AiSdkSystemMessage | AiSdkUserMessage | AiSdkAssistantMessage | AiSdkToolMessage;
