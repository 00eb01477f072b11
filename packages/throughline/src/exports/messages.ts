/**
 * The message model, converters for the formats of OpenAI, Anthropic, Gemini and the AI SDK, legality checks and repair.
 *
 * @module
 * @example
 * const messages = convertModelToRich([{ role: "user", content: "Hello" }]);
 */
export { convertModelToRich, convertRichToModel, type ForeignModelMessage } from "../message/convert/ai-sdk.ts";
export type { ModelMessage } from "../message/convert/ai-sdk-types.ts";
export {
  type AnthropicBlock,
  type AnthropicConversation,
  type AnthropicMessage,
  convertAnthropicToRich,
  convertRichToAnthropic,
} from "../message/convert/anthropic.ts";
export type { Loss, ToForeignOptions } from "../message/convert/conversion.ts";
export { convertGeminiToRich, type FromGeminiOptions, type GeminiContent } from "../message/convert/gemini.ts";
export { type LegacyMessage, legacyToRichMessage } from "../message/convert/legacy.ts";
export { convertChatToRich, convertRichToChat, type OpenAiChatMessage } from "../message/convert/openai/openai-chat.ts";
export { convertResponsesToRich, type OpenAiResponsesItem } from "../message/convert/openai/openai-responses.ts";
export { convertRichToResponses } from "../message/convert/openai/write-responses.ts";
export { convertUiToRich, type ForeignUiMessage } from "../message/convert/ui-message.ts";
export type { Provider } from "../message/legality-rules.ts";
export type {
  AssistantMessage,
  Message,
  Message as RichMessage,
  MessageBase as RichMessageBase,
  MessageError,
  Provenance,
  Role,
  TokenUsage,
  ToolMessage,
  UserMessage,
} from "../message/message.ts";
export type {
  CompactionMarkerPart,
  FileData,
  FilePart,
  Foreign,
  ForeignFormat,
  OpaquePart,
  Part,
  Part as MessagePart,
  PartBase as BaseMessagePart,
  PartType as MessagePartType,
  ProviderOptions,
  ReasoningFilePart,
  ReasoningPart,
  StepStartPart,
  TextPart,
  ToolApprovalRequestPart,
  ToolApprovalResponsePart,
  ToolCallPart,
  ToolResultPart,
} from "../message/part.ts";
export type { Repair, RepairCode, RepairedWindow } from "../message/repair/repair.ts";
export { type RepairOptions, repairWindow } from "../message/repair/repair-window.ts";
export type { ToolContentItem, ToolOutput } from "../message/tool-output.ts";
export {
  adjustBoundaryForToolPairs,
  findToolPairs,
  legalCutPoints,
  type PlacedApproval,
  type PlacedCall,
  type PlacedResult,
  type ToolPairs,
} from "../message/tool-pairs.ts";
export { type Violation, type ViolationCode, validateWindow } from "../message/validate-window.ts";
