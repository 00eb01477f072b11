import { DIALECTS } from "../sql/dialect.ts";
import { checkSealed } from "../sql/encryption/check-sealed.ts";
import { readKeptKey } from "../sql/encryption/kept-key.ts";
import { createVault, unwrapKey } from "../sql/encryption/vault.ts";
import type { SqlTransaction } from "../sql/sql-driver.ts";
import { withVault } from "../sql/store-database.ts";

export interface EncryptionReport {
  /** Whether content is sealed, and whether it was looked into, which takes the key. */
  readonly encryption: "none" | "not-checked" | "checked";
  readonly problems: readonly string[];
}

/** What there is to say of a file's encryption, with its key or without. */
export async function checkEncryption(tx: SqlTransaction, userKey: Uint8Array | undefined): Promise<EncryptionReport> {
  const kept = await readKeptKey(tx, "sqlite");
  if (kept === undefined) {
    const problems = userKey === undefined ? [] : ["A key is given, and the file is not encrypted: encrypt it first."];
    return { encryption: "none", problems };
  }
  const traces = kept.isClean ? [] : ["Words of before it was encrypted may stand in the file: encrypt it once more."];
  if (userKey === undefined) return { encryption: "not-checked", problems: traces };
  const storeKey = unwrapKey(userKey, kept.wrapped);
  if (storeKey === undefined) {
    return { encryption: "not-checked", problems: [...traces, "The file is encrypted with another key."] };
  }
  const tables = (await tx.all(DIALECTS.sqlite.tableNames)).map(({ name }) => String(name));
  const sealed = withVault(tx, createVault(storeKey));
  return { encryption: "checked", problems: [...traces, ...(await checkSealed(sealed, tables))] };
}
