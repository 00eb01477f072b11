import process from "node:process";
import type { Command } from "commander";
import { findEncryptionKey, loadSqlite } from "../data/data-location.ts";
import { type CommandOptions, findData, findFile, withStoredData } from "../data/open-data.ts";
import { interruptible } from "../terminal/interruption.ts";
import { jsonOption } from "../terminal/options.ts";
import { count, printResult } from "../terminal/print-values.ts";
import { Progress } from "../terminal/progress.ts";
import { UsageError } from "../usage-error.ts";

/** Minimum rows to show progress for. */
const WORTH_SHOWING = 5_000;

interface EncryptOptions extends CommandOptions {
  readonly newKeyFile?: string;
}

/** The result of an encryption. */
interface Encryption {
  readonly data: string;
  /** Number of encrypted rows. */
  readonly sealed: number;
  /** True if it was encrypted before. */
  readonly wasEncrypted: boolean;
  /** True if the key was changed. */
  readonly keyChanged: boolean;
}

const HELP_FOOTER = `
Every command needs the key from then on. If you lose it, the data is lost:
  THROUGHLINE_ENCRYPTION_KEY        32 bytes, base64 or hex
  THROUGHLINE_ENCRYPTION_KEY_FILE   file with the key, readable only by you

Example:
  (umask 077; openssl rand -base64 32 > ~/throughline.key)
  export THROUGHLINE_ENCRYPTION_KEY_FILE=~/throughline.key
  throughline encrypt`;

export function addEncryptCommand(program: Command): void {
  program
    .command("encrypt")
    .summary("Encrypt the data")
    .description(
      "Encrypt the data with a key. Stop every other process first. Backups of migrations are deleted; other backups stay unencrypted.",
    )
    .option("--new-key-file <file>", "Change the key of encrypted data to the one in this file")
    .addOption(jsonOption())
    .addHelpText("after", HELP_FOOTER)
    .action((_, command: Command) => encrypt(command.optsWithGlobals()));
}

const IN_A_DATABASE = "To encrypt a PostgreSQL database, set a key before its first use.";

async function encrypt(options: EncryptOptions): Promise<void> {
  const { newKeyFile } = options;
  const { file, exists } = newKeyFile === undefined ? findFile(options, IN_A_DATABASE) : findData(options);
  if (!exists) {
    throw new UsageError(
      `Cannot encrypt ${file}: no data is stored yet.`,
      "To encrypt new data from the start, set the key and run any command that stores data.",
    );
  }
  const encryptionKey = findEncryptionKey();
  if (encryptionKey === undefined) {
    throw new UsageError(
      `Cannot encrypt ${file}: no encryption key is set.`,
      "Set THROUGHLINE_ENCRYPTION_KEY_FILE; `throughline encrypt --help` explains how to create a key.",
    );
  }
  const done =
    newKeyFile === undefined ? await sealData(file, encryptionKey) : await changeKey(file, options, newKeyFile);
  printResult(options, done, () => printEncryption(done));
}

async function sealData(file: string, encryptionKey: Uint8Array): Promise<Encryption> {
  // SQLite's temporary files are readable only by the user, like the database.
  process.umask(0o077);
  const { encryptSqlite } = await loadSqlite();
  let progress: Progress | undefined;
  const report = await interruptible("Nothing was changed.", (signal) =>
    encryptSqlite(file, {
      encryptionKey,
      onProgress({ added, total }) {
        signal.throwIfAborted();
        progress ??= new Progress("Encrypting", total < WORTH_SHOWING ? 0 : total);
        progress.advance(added);
      },
    }),
  ).finally(() => progress?.end());
  return { data: file, ...report, keyChanged: false };
}

async function changeKey(file: string, options: EncryptOptions, newKeyFile: string): Promise<Encryption> {
  const { readEncryptionKey } = await loadSqlite();
  const key = readEncryptionKey({ file: newKeyFile });
  await withStoredData(options, async ({ store }) => {
    if (key !== undefined) await store.changeEncryptionKey(key);
  });
  return { data: file, sealed: 0, wasEncrypted: true, keyChanged: true };
}

function printEncryption({ data, sealed, wasEncrypted, keyChanged }: Encryption): string {
  if (keyChanged) return `${data} now uses the new key. The old key no longer opens it.\n`;
  if (wasEncrypted) return `${data} is already encrypted with this key.\n`;
  return `Encrypted ${count(sealed, "row")} in ${data}. Keep the key: without it the data cannot be read.\n`;
}
