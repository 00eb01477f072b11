import { DIALECTS } from "../sql/dialect.ts";
import { checkSealed } from "../sql/encryption/check-sealed.ts";
import { createContentCipher, unwrapKey } from "../sql/encryption/content-cipher.ts";
import { readKeptKey } from "../sql/encryption/stored-key.ts";
import type { SqlTransaction } from "../sql/sql-driver.ts";
import { withCipher } from "../sql/store-database.ts";

export interface EncryptionReport {
  /** Encryption status. Checking the content requires the key. */
  readonly encryption: "none" | "not-checked" | "checked";
  readonly problems: readonly string[];
}

/** Checks the encryption of a file, with or without its key. */
export async function checkEncryption(tx: SqlTransaction, userKey: Uint8Array | undefined): Promise<EncryptionReport> {
  const kept = await readKeptKey(tx, "sqlite");
  if (kept === undefined) {
    const problems = userKey === undefined ? [] : ["A key was given, but the file is not encrypted. Encrypt it first."];
    return { encryption: "none", problems };
  }
  const traces = kept.isClean ? [] : ["The file may contain unencrypted traces. Run the encryption again."];
  if (userKey === undefined) return { encryption: "not-checked", problems: traces };
  const storeKey = unwrapKey(userKey, kept.wrapped);
  if (storeKey === undefined) {
    return { encryption: "not-checked", problems: [...traces, "The file is encrypted with another key."] };
  }
  const tables = (await tx.all(DIALECTS.sqlite.tableNames)).map(({ name }) => String(name));
  const sealed = withCipher(tx, createContentCipher(storeKey));
  return { encryption: "checked", problems: [...traces, ...(await checkSealed(sealed, tables))] };
}
