import process from "node:process";
import type { Command } from "commander";
import { type DataOptions, findData, findFile, withKeptData } from "../data/open-data.ts";
import { findEncryptionKey, loadSqlite } from "../data/sqlite-module.ts";
import { count } from "../format-values.ts";
import { interruptible } from "../interruption.ts";
import { jsonOption } from "../options.ts";
import { printJson } from "../print-json.ts";
import { Progress } from "../progress.ts";
import { UsageError } from "../usage-error.ts";

/** Fewer rows are done before anybody could wonder. */
const WORTH_SHOWING = 5_000;

interface EncryptOptions extends DataOptions {
  readonly newKeyFile?: string;
  readonly json?: boolean;
}

/** What became of the data. */
interface Encryption {
  readonly data: string;
  /** How many rows were sealed. */
  readonly sealed: number;
  /** It was encrypted before. */
  readonly wasEncrypted: boolean;
  /** It opens with another key now. */
  readonly keyChanged: boolean;
}

export function addEncryptCommand(program: Command): void {
  program
    .command("encrypt")
    .summary("seal it with a key")
    .description(
      "seal what is kept with a key; nobody else may use it meanwhile, and copies from before stay as they are",
    )
    .option("--new-key-file <file>", "give data that is encrypted the key in this file instead of its own")
    .addOption(jsonOption())
    .addHelpText("after", AFTERWORD)
    .action((_, command: Command) => encrypt(command.optsWithGlobals()));
}

const AFTERWORD = `
The key, which every command needs from then on; without it nobody can read the data:
  THROUGHLINE_ENCRYPTION_KEY        32 bytes as base64 or hex
  THROUGHLINE_ENCRYPTION_KEY_FILE   a file that holds them, and that nobody else may read

Example:
  (umask 077; openssl rand -base64 32 > ~/throughline.key)
  export THROUGHLINE_ENCRYPTION_KEY_FILE=~/throughline.key
  throughline encrypt`;

const IN_A_DATABASE = "It is encrypted from the beginning, where a key is set before its first use.";

async function encrypt(options: EncryptOptions): Promise<void> {
  const { newKeyFile } = options;
  const { file, exists } = newKeyFile === undefined ? findFile(options, IN_A_DATABASE) : findData(options);
  if (!exists) {
    throw new UsageError(`There is no data yet in ${file}.`, "Where a key is set, it is encrypted from the beginning.");
  }
  const encryptionKey = findEncryptionKey();
  if (encryptionKey === undefined) {
    throw new UsageError("No key is set.", "`throughline encrypt --help` says how to make one and where to put it.");
  }
  const done =
    newKeyFile === undefined ? await sealData(file, encryptionKey) : await changeKey(file, options, newKeyFile);
  process.stdout.write(options.json ? printJson(done) : printEncryption(done));
}

async function sealData(file: string, encryptionKey: Uint8Array): Promise<Encryption> {
  // What SQLite puts beside the file is the user's alone, as the file is.
  process.umask(0o077);
  const { encryptSqlite } = await loadSqlite();
  let progress: Progress | undefined;
  const report = await interruptible("Nothing was changed.", (signal) =>
    encryptSqlite(file, {
      encryptionKey,
      onProgress({ added, total }) {
        signal.throwIfAborted();
        progress ??= new Progress("Sealing", total < WORTH_SHOWING ? 0 : total);
        progress.advance(added);
      },
    }),
  ).finally(() => progress?.end());
  return { data: file, ...report, keyChanged: false };
}

async function changeKey(file: string, options: EncryptOptions, newKeyFile: string): Promise<Encryption> {
  const { readEncryptionKey } = await loadSqlite();
  const key = readEncryptionKey({ file: newKeyFile });
  await withKeptData(options, async ({ store }) => {
    if (key !== undefined) await store.changeEncryptionKey(key);
  });
  return { data: file, sealed: 0, wasEncrypted: true, keyChanged: true };
}

function printEncryption({ data, sealed, wasEncrypted, keyChanged }: Encryption): string {
  if (keyChanged) return `${data} opens with the new key from now on, and no more with the old one.\n`;
  if (wasEncrypted) return `${data} was encrypted with this key already.\n`;
  return `${count(sealed, "row")} in ${data} are sealed. Keep the key: without it nobody can read them.\n`;
}
