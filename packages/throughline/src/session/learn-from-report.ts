import { FLAG, NUMBER, type OptionRules } from "../errors/check-options.ts";
import { omitUndefined } from "../internal/json.ts";
import type { Receipt } from "../receipt/receipt.ts";
import { observeUsage } from "../tokens/calibration.ts";
import { createTokenCounter } from "../tokens/token-counter.ts";
import type { SessionDeps } from "./session-settings.ts";
import type { SessionState } from "./state/session-state.ts";

/** The provider's answer to a turn. */
export interface TurnReport {
  /** Input tokens that the provider counted, cached ones included. */
  readonly inputTokens?: number;
  /** Input tokens read from the prompt cache, and written to it. */
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  /** Context limit that the provider reported. */
  readonly contextLimit?: number;
  /** Tokens that the call reserved for the reply. */
  readonly outputTokens?: number;
  /** True if the provider refused the window as too large. */
  readonly wasRefused?: boolean;
}

/** Checks of a report. */
export const REPORT_RULES: OptionRules<TurnReport> = {
  inputTokens: NUMBER,
  cacheReadTokens: NUMBER,
  cacheWriteTokens: NUMBER,
  contextLimit: NUMBER,
  outputTokens: NUMBER,
  wasRefused: FLAG,
};

type Limits = Pick<SessionDeps, "modelId" | "contextLimit" | "outputReserve">;

/** Share of a refused window that is tried next, if the provider does not report by how much it was too large. */
const AFTER_REFUSAL = 0.7;
/** Maximum share of a small window for the reply. */
const MAX_REPLY = 0.25;

/** Applies the context limit that the provider reported, if it is smaller than the known one. */
export function withLearnedLimit<T extends Limits>(deps: T, { limits = {} }: SessionState): T {
  const learned = Object.hasOwn(limits, deps.modelId) ? limits[deps.modelId] : undefined;
  if (learned === undefined || learned >= deps.contextLimit) return deps;
  const outputReserve = Math.min(deps.outputReserve, Math.floor(learned * MAX_REPLY));
  return { ...deps, contextLimit: learned, outputReserve };
}

/** Number of turns whose reported usage is kept. */
const MAX_USAGES = 100;

/** Adds the reported usage of a turn to the state, for its receipt. */
export function withUsage(state: SessionState, receiptId: string, report: TurnReport): SessionState {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, wasRefused } = report;
  if (inputTokens === undefined || wasRefused === true) return state;
  const usage = omitUndefined({ inputTokens, cacheReadTokens, cacheWriteTokens });
  const kept = Object.entries(state.usages ?? {}).filter(([id]) => id !== receiptId);
  return { ...state, usages: Object.fromEntries([...kept.slice(1 - MAX_USAGES), [receiptId, usage]]) };
}

/** Updates counts and limits from the report on a turn. After a refusal the next window is always smaller. */
export function learnFromReport(
  state: SessionState,
  receipt: Pick<Receipt, "modelId" | "counted">,
  report: TurnReport,
  deps: Limits,
): SessionState {
  const { modelId, counted } = receipt;
  const calibration = recalibrate(state, receipt, report);
  const factor = createTokenCounter(modelId, calibration).factor;
  const limit = readLimit(report, deps);
  const learned = withLearnedLimit(deps, limits({ ...state, calibration }, modelId, limit));
  const isSmaller = (learned.contextLimit - learned.outputReserve) / factor < counted;
  if (report.wasRefused !== true || isSmaller) return limits({ ...state, calibration }, modelId, limit);
  return limits({ ...state, calibration }, modelId, limitFor(counted * factor * AFTER_REFUSAL, deps));
}

/** Recalibrates token counts. The count of a refusal may be a lower bound, so it only raises the calibration factor. */
function recalibrate(
  { calibration }: SessionState,
  { modelId, counted }: Pick<Receipt, "modelId" | "counted">,
  { inputTokens, wasRefused }: TurnReport,
): SessionState["calibration"] {
  if (inputTokens === undefined) return calibration;
  const isLess = inputTokens / counted <= createTokenCounter(modelId, calibration).factor;
  return wasRefused && isLess ? calibration : observeUsage(calibration, { modelId, counted, reported: inputTokens });
}

/** Reads the limit; lower if the call reserved more for its reply than the session does. */
function readLimit({ contextLimit, outputTokens = 0 }: TurnReport, deps: Limits): number | undefined {
  if (contextLimit === undefined || !(contextLimit > 0)) return undefined;
  if (outputTokens <= deps.outputReserve) return contextLimit;
  const forInput = contextLimit - outputTokens;
  return forInput > 0 ? limitFor(forInput, deps) : undefined;
}

/** Context limit that leaves this many tokens for the input. */
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
