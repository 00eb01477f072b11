import { styleText } from "node:util";
import type { StoredToken } from "throughline/internal";
import { moment } from "../format-values.ts";
import { printableLine } from "../printable.ts";

/** Tokens for people: who they are for, what they may do, and whether they hold. */
export function printTokens(tokens: readonly StoredToken[], now: number): string {
  if (tokens.length === 0) return "No tokens. Make one: throughline token create --user NAME\n";
  return `${tokens.map((token) => describe(token, now)).join("\n")}\n`;
}

function describe(token: StoredToken, now: number): string {
  const { id, name, userId, projects, scopes } = token;
  const where = projects.length === 0 ? "" : `, ${projects.map((project) => printableLine(project)).join(", ")}`;
  const line = `${id}  ${printableLine(name)}: ${printableLine(userId)}${where} (${scopes.join(", ")})`;
  return `${line}  ${styleText("dim", stateOf(token, now))}`;
}

function stateOf({ revokedAt, expiresAt, lastUsedAt }: StoredToken, now: number): string {
  if (revokedAt !== undefined) return `revoked on ${moment(revokedAt)}`;
  if (expiresAt !== undefined && expiresAt <= now) return `expired on ${moment(expiresAt)}`;
  const used = lastUsedAt === undefined ? "never used" : `last used on ${moment(lastUsedAt)}`;
  return expiresAt === undefined ? used : `${used}, holds until ${moment(expiresAt)}`;
}
