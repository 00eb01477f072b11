import type { BenchThroughline } from "./bench-throughline.ts";
import type { SummaryPolicy, WindowPolicy } from "./policy.ts";
import { lastTokens } from "./summaries/last-tokens.ts";
import { ownSummary } from "./summaries/own-summary.ts";
import { rankedIdentifiers } from "./summaries/ranked-identifiers.ts";
import { throughlineSummary } from "./summaries/throughline-summary.ts";
import { aiSdkPrune } from "./windows/ai-sdk-prune.ts";
import { langchainTrim, langchainTrimLegal } from "./windows/langchain-trim.ts";
import { middleOut } from "./windows/middle-out.ts";
import { observationMasking } from "./windows/observation-masking.ts";
import { spec3 } from "./windows/spec-3.ts";
import { spec5 } from "./windows/spec-5.ts";
import { tail } from "./windows/tail.ts";
import { throughlineWindow } from "./windows/throughline-window.ts";

export function summaryPolicies(throughline: BenchThroughline | undefined): SummaryPolicy[] {
  const baselines = [ownSummary, lastTokens, rankedIdentifiers];
  return throughline === undefined ? baselines : [...baselines, throughlineSummary(throughline)];
}

export function windowPolicies(throughline: BenchThroughline | undefined): WindowPolicy[] {
  const baselines = [
    tail,
    middleOut,
    aiSdkPrune({ reasoning: "before-last-message", toolCalls: "none" }),
    aiSdkPrune({ reasoning: "before-last-message", toolCalls: "before-last-message" }),
    aiSdkPrune({ reasoning: "before-last-message", toolCalls: "before-last-10-messages" }),
    aiSdkPrune({ reasoning: "before-last-message", toolCalls: "before-last-40-messages" }),
    langchainTrim,
    langchainTrimLegal,
    observationMasking(0),
    observationMasking(1),
    observationMasking(3),
    observationMasking(10),
    observationMasking(30),
    spec3,
    spec5,
  ];
  return throughline === undefined ? baselines : [...baselines, throughlineWindow(throughline)];
}
