import { StoreError } from "../../../errors/store-errors.ts";
import { omitUndefined } from "../../../internal/json.ts";
import type { StoredToken, TokenScope, TokenStore } from "../../../ports/server-store.ts";
import { lookUp } from "../look-up.ts";
import { readJson, writeJson } from "../pack.ts";
import { numberOf, optionalNumberOf, storedTextOf, textOf, toStoredText } from "../row-values.ts";
import type { SqlRow, SqlStatement, SqlValue, StoreDatabase } from "../sql-driver.ts";
import { insertRows, selectIn, type Table } from "../statements.ts";

const TOKENS: Table = {
  name: "tokens",
  columns: [
    ...["id", "name", "hash", "user_id", "projects", "scopes", "created_at", "expires_at", "revoked_at"],
    "last_used_at",
  ],
};
const SELECT = `SELECT ${TOKENS.columns.join(", ")} FROM tokens`;

/** Tokens in a database. */
export function sqlTokenStore(database: StoreDatabase): TokenStore {
  const change = (text: string, params: readonly SqlValue[]) => database.write((tx) => tx.run(text, params));
  return {
    async add(token) {
      await database.write(async (tx) => {
        if ((await insertRows(tx, TOKENS, [tokenRow(token)])) > 0) return;
        throw new StoreError("duplicate-id", `The id of token ${JSON.stringify(token.id)} is taken.`);
      });
    },
    async find(id) {
      const statement: SqlStatement = [`${SELECT} WHERE id = ?`, [toStoredText(id)]];
      return lookUp(database, { statements: [statement], read: ([rows]) => rows?.map(readTokenRow)[0] });
    },
    async list({ userId, ids } = {}) {
      const owner = userId === undefined ? [] : [toStoredText(userId)];
      const ofOwner = userId === undefined ? "" : "AND user_id = ?";
      const text = (list: string) => `${SELECT} WHERE 1 = 1 ${ofOwner} AND id IN (${list})`;
      const rows = await database.read((tx) =>
        ids === undefined
          ? tx.all(`${SELECT} WHERE 1 = 1 ${ofOwner}`, owner)
          : selectIn(tx, text, owner, ids.map(toStoredText)),
      );
      const tokens = rows.map(readTokenRow);
      return tokens.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
    },
    async revoke(id, at) {
      const text = "UPDATE tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL";
      return (await change(text, [at, toStoredText(id)])) > 0;
    },
    async touch(id, at) {
      // Servers may report uses out of order.
      const text = "UPDATE tokens SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at < ?)";
      await change(text, [at, toStoredText(id), at]);
    },
  };
}

function tokenRow(token: StoredToken): SqlValue[] {
  const { id, name, hash, userId, projects, scopes, createdAt, expiresAt, revokedAt, lastUsedAt } = token;
  return [
    ...[id, name, hash, userId].map(toStoredText),
    ...[projects, scopes].map(writeJson),
    createdAt,
    ...[expiresAt, revokedAt, lastUsedAt].map((time) => time ?? null),
  ];
}

function readTokenRow(row: SqlRow): StoredToken {
  return omitUndefined({
    id: storedTextOf(row, "id"),
    name: storedTextOf(row, "name"),
    hash: storedTextOf(row, "hash"),
    userId: storedTextOf(row, "user_id"),
    projects: readJson(textOf(row, "projects")) as string[],
    scopes: readJson(textOf(row, "scopes")) as TokenScope[],
    createdAt: numberOf(row, "created_at"),
    expiresAt: optionalNumberOf(row, "expires_at"),
    revokedAt: optionalNumberOf(row, "revoked_at"),
    lastUsedAt: optionalNumberOf(row, "last_used_at"),
  });
}
