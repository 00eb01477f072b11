import { checkShares, TIERS, type Tier, type TierShares } from "../context-api.ts";
import { BACKGROUND_RULES } from "./background-rules.ts";
import { CRITICAL_RULES } from "./critical-rules.ts";
import { RELEVANT_RULES } from "./relevant-rules.ts";

/** A rule, and the share of its tier that it may fill before the other rules are applied. */
type PlannedRule = readonly [rule: RuleName, share: number];

/**
 * Budget shares and rules of an activity, by tier. Rules are sorted by priority. The index tier is filled separately.
 */
export interface ActivityPlan {
  readonly shares: TierShares;
  readonly rules: Readonly<Record<Exclude<Tier, "index">, readonly PlannedRule[]>>;
}

const DEFAULT: ActivityPlan = {
  shares: { critical: 0.25, relevant: 0.375, background: 0.25, index: 0.125 },
  rules: {
    critical: [
      ["pinned-contradiction", 1],
      ["pinned", 1],
      ["open-contradiction", 0.25],
      ["active-decision", 0.4],
      ["similar-error", 0.3],
      ["recent-error", 0.25],
      ["open-question", 0.2],
    ],
    relevant: [
      ["collaborator-preference", 0.2],
      ["module", 0.4],
      ["fits-task", 0.4],
      ["predicted", 0.4],
      ["related-decision", 0.25],
      ["dependency", 0.2],
      ["pattern-here", 0.2],
      ["past-work", 0.25],
      ["likely-file", 0.15],
    ],
    background: [
      ["convention", 0.4],
      ["recent-decision", 0.2],
      ["preference", 0.2],
      ["workflow", 0.2],
      ["history", 0.3],
      ["note", 0.2],
      ["person", 0.1],
    ],
  },
};

/** Prefers decisions, patterns and similar earlier work. */
const NEW_FEATURE: ActivityPlan = {
  shares: DEFAULT.shares,
  rules: {
    critical: [
      ["pinned-contradiction", 1],
      ["pinned", 1],
      ["active-decision", 0.4],
      ["recent-decision", 0.3],
      ["any-open-question", 0.2],
      ["open-contradiction", 0.2],
      ["recent-error", 0.1],
    ],
    relevant: [
      ["pattern", 0.33],
      ["similar-work", 0.4],
      ["dependency", 0.2],
      ["collaborator-preference", 0.15],
      ["module", 0.3],
      ["fits-task", 0.3],
      ["predicted", 0.3],
      ["related-decision", 0.2],
      ["likely-file", 0.15],
    ],
    background: [
      ["convention", 0.4],
      ["workflow", 0.2],
      ["preference", 0.25],
      ["history", 0.2],
      ["note", 0.2],
      ["person", 0.1],
    ],
  },
};

/** More budget for errors and fixes, less for the background. */
const DEBUGGING: ActivityPlan = {
  shares: { critical: 0.375, relevant: 0.3125, background: 0.1875, index: 0.125 },
  rules: {
    critical: [
      ["pinned-contradiction", 1],
      ["pinned", 1],
      ["similar-error", 0.5],
      ["fix-here", 0.27],
      ["known-issue", 0.17],
      ["recent-error", 0.2],
      ["open-contradiction", 0.15],
      ["active-decision", 0.2],
    ],
    relevant: [
      ["module", 0.4],
      ["dependency", 0.32],
      ["test-failure", 0.2],
      ["collaborator-preference", 0.1],
      ["fits-task", 0.4],
      ["predicted", 0.3],
      ["related-decision", 0.15],
      ["past-work", 0.2],
      ["likely-file", 0.15],
    ],
    background: [
      ["debugging-workflow", 0.4],
      ["error-convention", 0.4],
      ["history", 0.2],
      ["preference", 0.2],
      ["note", 0.2],
      ["person", 0.1],
    ],
  },
};

const PLANS = new Map([
  ["default", DEFAULT],
  ["new-feature", NEW_FEATURE],
  ["debugging", DEBUGGING],
]);

/** Shares of custom activities, by name. */
export type OwnActivities = Readonly<Record<string, TierShares>>;

/** Plan of an activity. An unknown activity gets the default plan and `isKnown: false`. */
export function planFor(
  activity: string | undefined,
  own: OwnActivities = {},
  shares?: TierShares,
): { readonly plan: ActivityPlan; readonly activity: string; readonly isKnown: boolean } {
  const named = activity === undefined || activity.trim() === "" ? "default" : activity.trim();
  const known = PLANS.get(named.toLowerCase().replace(/[\s_]+/g, "-"));
  const given = shares ?? (Object.hasOwn(own, named) ? own[named] : undefined);
  if (given !== undefined) checkShares(given);
  const plan = known ?? DEFAULT;
  return {
    plan: given === undefined ? plan : { ...plan, shares: given },
    activity: named,
    isKnown: known !== undefined || Object.hasOwn(own, named),
  };
}

/** Divides a budget into whole tokens for each tier, which add up to the budget. */
export function divideBudget(budget: number, shares: TierShares): Readonly<Record<Tier, number>> {
  let upTo = 0;
  let given = 0;
  const allotted = TIERS.map((tier) => {
    upTo += shares[tier];
    const tokens = Math.min(budget, Math.floor(budget * upTo + 1e-6)) - given;
    given += tokens;
    return [tier, tokens] as const;
  });
  return Object.fromEntries(allotted) as Record<Tier, number>;
}

/** All rules by the name that receipts use. */
export const RULES = { ...CRITICAL_RULES, ...RELEVANT_RULES, ...BACKGROUND_RULES };

type RuleName = keyof typeof RULES;
