import { InvalidOptionError } from "../../errors/invalid-option-error.ts";
import { isRecord } from "../../internal/json.ts";
import { TIERS, type TierShares } from "../context-api.ts";

/** @throws InvalidOptionError if a share is not from 0 to 1, or the shares do not add up to 1. */
export function checkShares(shares: TierShares): void {
  const values = isRecord(shares) ? TIERS.map((tier) => shares[tier]) : [];
  const isSound = values.length > 0 && values.every((value) => typeof value === "number" && value >= 0 && value <= 1);
  const sum = values.reduce((total, value) => total + value, 0);
  if (!isSound || Math.abs(sum - 1) > 1e-6) {
    throw new InvalidOptionError("shares", JSON.stringify(shares), `${TIERS.join(", ")}, from 0 to 1, together 1`);
  }
}
