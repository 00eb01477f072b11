import { omitUndefined } from "../internal/json.ts";
import type { Receipt } from "../receipt/receipt.ts";
import { observeUsage } from "../tokens/calibration.ts";
import { createTally, type SessionContext } from "./session-context.ts";
import type { SessionState } from "./session-state.ts";

/** What a provider said of a turn that was sent to it. */
export interface TurnReport {
  /** The input tokens that it counted, cached ones included. */
  readonly inputTokens?: number;
  /** Those of them that it had in its prompt cache, and those that it put there. */
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  /** The tokens that it takes in all. */
  readonly contextLimit?: number;
  /** The tokens that the call asked for its reply. */
  readonly outputTokens?: number;
  /** It refused the window as too large. */
  readonly wasRefused?: boolean;
}

type Limits = Pick<SessionContext, "modelId" | "contextLimit" | "outputReserve">;

/** Of a refused window this share is tried next, where nobody says how much it was too large. */
const AFTER_REFUSAL = 0.7;
/** A reply takes no more than this share of a small window. */
const MAX_REPLY = 0.25;

/** The session as it was opened; a model that said that it takes less is taken at its word. */
export function withLearntLimit<T extends Limits>(context: T, { limits = {} }: SessionState): T {
  const learnt = Object.hasOwn(limits, context.modelId) ? limits[context.modelId] : undefined;
  if (learnt === undefined || learnt >= context.contextLimit) return context;
  const outputReserve = Math.min(context.outputReserve, Math.floor(learnt * MAX_REPLY));
  return { ...context, contextLimit: learnt, outputReserve };
}

/** So many turns are known with what the provider reported for them. */
const MAX_USAGES = 100;

/** The state with what was reported for a turn, so that its receipt can tell it. */
export function withUsage(state: SessionState, receiptId: string, report: TurnReport): SessionState {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, wasRefused } = report;
  if (inputTokens === undefined || wasRefused === true) return state;
  const usage = omitUndefined({ inputTokens, cacheReadTokens, cacheWriteTokens });
  const kept = Object.entries(state.usages ?? {}).filter(([id]) => id !== receiptId);
  return { ...state, usages: Object.fromEntries([...kept.slice(1 - MAX_USAGES), [receiptId, usage]]) };
}

/** Takes a report on the turn of this receipt into account. After a refusal the next window is smaller in any case. */
export function learnFromReport(
  state: SessionState,
  receipt: Pick<Receipt, "modelId" | "counted">,
  report: TurnReport,
  context: Limits,
): SessionState {
  const { modelId, counted } = receipt;
  const calibration = recalibrate(state, receipt, report);
  const factor = createTally(modelId, calibration).factor;
  const limit = readLimit(report, context);
  const told = withLearntLimit(context, limits({ ...state, calibration }, modelId, limit));
  const isSmaller = (told.contextLimit - told.outputReserve) / factor < counted;
  if (report.wasRefused !== true || isSmaller) return limits({ ...state, calibration }, modelId, limit);
  return limits({ ...state, calibration }, modelId, limitFor(counted * factor * AFTER_REFUSAL, context));
}

/** A count that comes with a refusal may be a lower bound: it makes ours larger, never smaller. */
function recalibrate(
  { calibration }: SessionState,
  { modelId, counted }: Pick<Receipt, "modelId" | "counted">,
  { inputTokens, wasRefused }: TurnReport,
): SessionState["calibration"] {
  if (inputTokens === undefined) return calibration;
  const isLess = inputTokens / counted <= createTally(modelId, calibration).factor;
  return wasRefused && isLess ? calibration : observeUsage(calibration, { modelId, counted, reported: inputTokens });
}

/** What is left for the input where a call asks for a longer reply than is kept free. */
function readLimit({ contextLimit, outputTokens = 0 }: TurnReport, context: Limits): number | undefined {
  if (contextLimit === undefined || !(contextLimit > 0)) return undefined;
  if (outputTokens <= context.outputReserve) return contextLimit;
  const forInput = contextLimit - outputTokens;
  return forInput > 0 ? limitFor(forInput, context) : undefined;
}

/** The limit of a model whose input may be so large. */
function limitFor(input: number, { outputReserve }: Limits): number {
  return Math.max(1, Math.floor(Math.min(input + outputReserve, input / (1 - MAX_REPLY))));
}

function limits(state: SessionState, modelId: string, limit: number | undefined): SessionState {
  const known = state.limits?.[modelId];
  return omitUndefined({
    ...state,
    limits: limit === undefined || (known ?? limit + 1) <= limit ? state.limits : { ...state.limits, [modelId]: limit },
  });
}
