/**
 * The AI SDK's `ModelMessage` type, declared here so that the package does not depend on the AI SDK. A type test
 * compares it with the real types of versions 7 and 6.
 */
type AiSdkProviderOptions = Record<string, Record<string, AiSdkJson>>;

type AiSdkJson = null | string | number | boolean | AiSdkJson[] | { [key: string]: AiSdkJson | undefined };

interface AiSdkTextPart {
  type: "text";
  text: string;
  providerOptions?: AiSdkProviderOptions;
}

interface AiSdkFilePart {
  type: "file";
  data: string | Uint8Array | URL;
  mediaType: string;
  filename?: string;
  providerOptions?: AiSdkProviderOptions;
}

interface AiSdkImagePart {
  type: "image";
  image: string | Uint8Array | URL;
  mediaType?: string;
  providerOptions?: AiSdkProviderOptions;
}

interface AiSdkReasoningPart {
  type: "reasoning";
  text: string;
  providerOptions?: AiSdkProviderOptions;
}

interface AiSdkToolCallPart {
  type: "tool-call";
  toolCallId: string;
  toolName: string;
  input: unknown;
  providerExecuted?: boolean;
  providerOptions?: AiSdkProviderOptions;
}

interface AiSdkToolResultPart {
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

interface AiSdkToolApprovalRequest {
  type: "tool-approval-request";
  approvalId: string;
  toolCallId: string;
}

interface AiSdkToolApprovalResponse {
  type: "tool-approval-response";
  approvalId: string;
  approved: boolean;
  reason?: string;
  providerExecuted?: boolean;
}

interface AiSdkSystemMessage {
  role: "system";
  content: string;
  providerOptions?: AiSdkProviderOptions;
}

interface AiSdkUserMessage {
  role: "user";
  content: string | (AiSdkTextPart | AiSdkImagePart | AiSdkFilePart)[];
  providerOptions?: AiSdkProviderOptions;
}

interface AiSdkAssistantMessage {
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

interface AiSdkToolMessage {
  role: "tool";
  content: (AiSdkToolResultPart | AiSdkToolApprovalResponse)[];
  providerOptions?: AiSdkProviderOptions;
}

/** A message for the AI SDK, versions 6 and 7. */
export type ModelMessage = AiSdkSystemMessage | AiSdkUserMessage | AiSdkAssistantMessage | AiSdkToolMessage;
