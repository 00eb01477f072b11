import process from "node:process";
import { styleText } from "node:util";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { StoredToken, TokenScope } from "throughline/internal/sql";
import { omitUndefined } from "throughline/internal/util";
import { type CommandOptions, type DataOptions, withNewData, withStoredData } from "../data/open-data.ts";
import { pickByPrefix } from "../data/stored-memory.ts";
import {
  dateUntil,
  dryRunOption,
  each,
  jsonListOption,
  jsonOption,
  projectOption,
  refuseRenamed,
} from "../terminal/options.ts";
import { moment, printableLine, printJson, printResult } from "../terminal/print-values.ts";
import { UsageError } from "../usage-error.ts";

const SCOPES = ["read", "write", "admin"] as const satisfies readonly TokenScope[];

interface CreateOptions extends Omit<DataOptions, "project"> {
  readonly user: string;
  readonly name: string;
  readonly project: readonly string[];
  readonly scope?: readonly TokenScope[];
  readonly expires?: number;
  readonly json?: boolean;
}

export function addTokenCommand(program: Command): void {
  const token = program
    .command("token")
    .summary("Manage access tokens")
    .description("Create, list and revoke access tokens. With a token, the server can listen on public addresses.")
    .helpCommand(false)
    .addHelpText(
      "after",
      "\nExample:\n  throughline token create --user ada --name laptop\n  throughline serve --host 0.0.0.0",
    );
  addCreateCommand(token);
  token
    .command("list")
    .description("List tokens, without their secrets.")
    .addOption(jsonListOption())
    .addHelpText("after", "\nExample:\n  throughline token list")
    .action((_, command: Command) => list(command.optsWithGlobals()));
  token
    .command("revoke")
    .description("Revoke a token permanently. Every server on this data refuses it, within five seconds on PostgreSQL.")
    .argument("<id>", "Token id, or a unique prefix of it, as `token list` prints it")
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  throughline token revoke 5f0c1d2e --dry-run")
    .action((id: string, _, command: Command) => revoke(id, command.optsWithGlobals()));
}

function addCreateCommand(token: Command): void {
  refuseRenamed(token.command("create"), { "--for <project>": "--project", "--until <date>": "--expires" })
    .description("Create a token for a user. It is printed once; only its hash is stored.")
    .requiredOption("--user <id>", "User whose sessions and memories the token gives access to", word)
    .option("--name <name>", "Name of the token in the list", word, "token")
    .addOption(
      projectOption("Folder or project name that it may access (* for all); repeatable")
        .argParser(eachWord)
        .default([], "none"),
    )
    .addOption(
      new Option("--scope <scope>", "Permission; repeatable (default: read and write)")
        .choices(SCOPES)
        .argParser(eachScope),
    )
    .option("--expires <date>", "Last day on which it is valid (default: no expiry)", dateUntil)
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nStandard output contains only the token.\n\nExamples:\n  throughline token create --user ada --name laptop --project shop\n  throughline token create --user ci --scope read --expires 2027-01-31 --json",
    )
    .action((_, command: Command) => create(command.optsWithGlobals()));
}

function word(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("Expected a non-empty name.");
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
  const {
    user: userId,
    name,
    project: projects,
    scope: scopes = ["read", "write"],
    expires: expiresAt,
    ...rest
  } = options;
  const createdAt = Date.now();
  if (expiresAt !== undefined && expiresAt <= createdAt) {
    throw new UsageError("--expires is in the past.", "Give a future day, or remove --expires.");
  }
  const about = { name, userId, projects, scopes, createdAt };
  const { makeToken } = await import("@throughline/server");
  const { secret, token } = makeToken(omitUndefined({ ...about, expiresAt }));
  await withNewData(rest, async (open) => (await open()).store.server.tokens.add(token));
  if (options.json) {
    process.stdout.write(printJson({ token: secret, ...withoutHash(token) }));
    return;
  }
  process.stdout.write(`${secret}\n`);
  process.stderr.write(
    `This token is shown only once. Send it as: Authorization: Bearer …\nRevoke it: throughline token revoke ${token.id}\n`,
  );
}

async function list(options: CommandOptions): Promise<void> {
  const tokens = (await withStoredData(options, ({ store }) => store.server.tokens.list())) ?? [];
  printResult(options, tokens.map(withoutHash), () => printTokens(tokens, Date.now()));
}

async function revoke(named: string, options: CommandOptions): Promise<void> {
  const { dryRun = false } = options;
  const now = Date.now();
  const token = await withStoredData(options, async ({ store: { server } }) => {
    const holding = (await server.tokens.list()).filter((one) => isActive(one, now));
    const found = pickByPrefix(named, holding, "tokens");
    if (found !== undefined && !dryRun) await server.tokens.revoke(found.id, now);
    return found;
  });
  if (token === undefined) {
    throw new UsageError(
      `Could not revoke the token ${printableLine(named)}: no active token has this id or prefix.`,
      "List the tokens with `throughline token list`.",
    );
  }
  const { id, name, userId } = token;
  const report = `Token ${id} (${printableLine(name)}, of ${printableLine(userId)})`;
  const done = dryRun ? "would be revoked. Nothing was changed." : "is revoked.";
  printResult(options, { id, name, userId, dryRun, revoked: !dryRun }, () => `${report} ${done}\n`);
}

function withoutHash({ hash: _, ...token }: StoredToken): Omit<StoredToken, "hash"> {
  return token;
}

function printTokens(tokens: readonly StoredToken[], now: number): string {
  if (tokens.length === 0) return "No tokens. Create one: throughline token create --user NAME\n";
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
  return expiresAt === undefined ? used : `${used}, valid until ${moment(expiresAt)}`;
}

/** True if a token is valid now. */
export function isActive({ revokedAt, expiresAt }: StoredToken, now: number): boolean {
  return revokedAt === undefined && (expiresAt === undefined || expiresAt > now);
}
