import type { TranscriptFormat } from "../transcript.ts";

/** Field names that identify a format, most specific first. */
const NAMES: readonly (readonly [TranscriptFormat, RegExp])[] = [
  ["claude-code", /"(parentUuid|leafUuid)"\s*:/],
  ["codex", /"type"\s*:\s*"(session_meta|turn_context|response_item|event_msg|compacted)"\s*,\s*"payload"\s*:/],
  ["gemini-cli", /"projectHash"\s*:/],
  ["copilot", /"type"\s*:\s*"(session|user|assistant|tool|system)\.[a-z_]{1,40}"\s*,\s*"data"\s*:/],
  ["pi", /"type"\s*:\s*"session"\s*,\s*"version"\s*:\s*\d{1,9}\s*,\s*"id"\s*:/],
  ["opencode", /"(messageID|sessionID)"\s*:/],
  ["cline", /"text"\s*:\s*"(<user_input mode=|<environment_details>)/],
  ["anthropic", /"type"\s*:\s*"(tool_use|tool_result|thinking|redacted_thinking)"/],
  ["ai-sdk", /"type"\s*:\s*"(tool-call|tool-result|step-start)"|"parts"\s*:\s*\[/],
  ["openai", /"role"\s*:\s*"(system|developer|user|assistant|tool)"/],
  ["openai", /"type"\s*:\s*"(function_call|function_call_output|reasoning)"/],
];

/** Detects the format by field names, for a text whose first record is incomplete. */
export function formatByNames(text: string): TranscriptFormat | undefined {
  return NAMES.find(([, names]) => names.test(text))?.[0];
}
