import process from "node:process";
import { makeToken } from "@throughline/server";
import { type Command, InvalidArgumentError, Option } from "commander";
import { omitUndefined, type StoredToken, type TokenScope } from "throughline/internal";
import { type DataOptions, withKeptData, withNewData } from "../data/open-data.ts";
import { pickByBeginning } from "../data/stored-memory.ts";
import { dateUntil, dryRunOption, each, jsonListOption, jsonOption } from "../options.ts";
import { printJson } from "../print-json.ts";
import { printableLine } from "../printable.ts";
import { UsageError } from "../usage-error.ts";
import { isHolding } from "./is-holding.ts";
import { printTokens } from "./print-tokens.ts";

const SCOPES = ["read", "write", "admin"] as const satisfies readonly TokenScope[];

interface CreateOptions extends DataOptions {
  readonly user: string;
  readonly name: string;
  readonly for?: readonly string[];
  readonly scope?: readonly TokenScope[];
  readonly until?: number;
  readonly json?: boolean;
}

interface RevokeOptions extends DataOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function addTokenCommand(program: Command): void {
  const token = program
    .command("token")
    .summary("say who may use the server")
    .description("make, list and revoke tokens; with one, the server can listen where others reach it")
    .helpCommand(false)
    .addHelpText(
      "after",
      "\nExample:\n  throughline token create --user ada --name laptop\n  throughline serve --host 0.0.0.0",
    );
  addCreateCommand(token);
  token
    .command("list")
    .description("list tokens, without their secrets")
    .addOption(jsonListOption())
    .addHelpText("after", "\nExample:\n  throughline token list")
    .action((_, command: Command) => list(command.optsWithGlobals()));
  token
    .command("revoke")
    .description("take a token back: it opens no server on this data any more, from now on and for good")
    .argument("<id>", "as `token list` prints it, or the beginning of it")
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  throughline token revoke 5f0c1d2e --dry-run")
    .action((id: string, _, command: Command) => revoke(id, command.optsWithGlobals()));
}

function addCreateCommand(token: Command): void {
  token
    .command("create")
    .description("make a token for a user; it is shown once, and what is kept of it cannot be used")
    .requiredOption("--user <id>", "whose sessions and memories it opens", word)
    .option("--name <name>", "what to call it in the list", word, "token")
    .option("--for <project>", "a project that it may speak for; * is all; may be given several times", eachWord)
    .addOption(
      new Option("--scope <scope>", "what it may do; may be given several times; read and write if not given")
        .choices(SCOPES)
        .argParser(eachScope),
    )
    .option("--until <date>", "the last day on which it holds; for good if not given", dateUntil)
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nThe token itself is all that is on standard output.\n\nExamples:\n  throughline token create --user ada --name laptop --for shop\n  throughline token create --user ci --scope read --until 2027-01-31 --json",
    )
    .action((_, command: Command) => create(command.optsWithGlobals()));
}

function word(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("It takes a name.");
  return text;
}

function eachWord(text: string, before?: readonly string[]): readonly string[] {
  return each(word(text), before);
}

function eachScope(text: string, before: readonly TokenScope[] = []): readonly TokenScope[] {
  const scope = SCOPES.find((one) => one === text);
  if (scope === undefined) throw new InvalidArgumentError(`Allowed choices are ${SCOPES.join(", ")}.`);
  return [...new Set([...before, scope])];
}

async function create(options: CreateOptions): Promise<void> {
  const { user: userId, name, for: projects = [], scope: scopes = ["read", "write"], until: expiresAt } = options;
  const createdAt = Date.now();
  if (expiresAt !== undefined && expiresAt <= createdAt) {
    throw new UsageError("--until is over already.", "Give a day to come, or leave it out.");
  }
  const about = { name, userId, projects, scopes, createdAt };
  const { secret, token } = makeToken(omitUndefined({ ...about, expiresAt }));
  await withNewData(options, async (open) => (await open()).store.server.tokens.add(token));
  if (options.json) {
    process.stdout.write(printJson({ token: secret, ...withoutHash(token) }));
    return;
  }
  process.stdout.write(`${secret}\n`);
  process.stderr.write(
    `It is shown this once. Send it as: Authorization: Bearer …\nTo take it back: throughline token revoke ${token.id}\n`,
  );
}

async function list(options: DataOptions & { readonly json?: boolean }): Promise<void> {
  const tokens = (await withKeptData(options, ({ store }) => store.server.tokens.list())) ?? [];
  process.stdout.write(options.json ? printJson(tokens.map(withoutHash)) : printTokens(tokens, Date.now()));
}

async function revoke(named: string, options: RevokeOptions): Promise<void> {
  const { dryRun = false } = options;
  const now = Date.now();
  const token = await withKeptData(options, async ({ store: { server } }) => {
    const holding = (await server.tokens.list()).filter((one) => isHolding(one, now));
    const found = pickByBeginning(named, holding, "tokens");
    if (found !== undefined && !dryRun) await server.tokens.revoke(found.id, now);
    return found;
  });
  if (token === undefined) {
    throw new UsageError(
      `There is no token ${printableLine(named)} that holds.`,
      "`throughline token list` lists them.",
    );
  }
  const { id, name, userId } = token;
  const said = `Token ${id} (${printableLine(name)}, of ${printableLine(userId)})`;
  process.stdout.write(
    options.json
      ? printJson({ id, name, userId, dryRun, revoked: !dryRun })
      : `${said} ${dryRun ? "would hold no more. Nothing was changed." : "holds no more."}\n`,
  );
}

function withoutHash({ hash: _, ...token }: StoredToken): Omit<StoredToken, "hash"> {
  return token;
}
