/**
 * Middleware, steps, tools and turns for the AI SDK, versions 6 and 7.
 *
 * @module
 * @example
 * const model = wrapLanguageModel({ model: openai("gpt-4o"), middleware: middleware(session) });
 */
export { parseOverflowError, type ReportedOverflow } from "../overflow/parse-overflow-error.ts";
// Re-exported, so that an agent needs a single import.
export { createThroughline } from "../throughline.ts";
export {
  type ChatTransportOptions,
  chatTransport,
  type SessionChatTransport,
  type UiStream,
} from "./chat-transport.ts";
export { type MiddlewareOptions, middleware, type SessionMiddleware } from "./middleware.ts";
export { type PreparedStep, type PrepareStepOptions, prepareStep } from "./prepare-step.ts";
export { type RunningTurn, type RunTurnOptions, runTurn, type TurnStream } from "./run-turn.ts";
export type {
  FinishedStep,
  GivenSystem,
  StepInput,
  StreamOptions,
  StreamSetting,
  StreamText,
  SystemMessage,
  SystemPrompt,
} from "./stream-settings.ts";
export type { TurnEvent } from "./stream-turn.ts";
export { persist, withOverflowRecovery } from "./stream-turn.ts";
export { type SessionTool, type SessionTools, tools } from "./tools.ts";
