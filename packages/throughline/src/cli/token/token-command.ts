import process from "node:process";
import { type Command, Option } from "commander";
import type { StoredToken, TokenScope } from "../../ports/server-shelf.ts";
import { makeToken } from "../../server/gate/check-token.ts";
import { type DataOptions, withKeptData, withNewData } from "../data/open-data.ts";
import { dateUntil, each, jsonListOption, jsonOption } from "../options.ts";
import { printJson } from "../print-json.ts";
import { UsageError } from "../usage-error.ts";
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

export function addTokenCommand(program: Command): void {
  const token = program
    .command("token")
    .summary("say who may use the server")
    .description("make, list and revoke tokens; with one, the server can listen where others reach it");
  token
    .command("create")
    .description("make a token for a user; it is shown once, and what is kept of it cannot be used")
    .requiredOption("--user <id>", "whose sessions and memories it opens")
    .option("--name <name>", "what to call it in the list", "token")
    .option("--for <project>", "a project that it may speak for; * is all; may be given several times", each)
    .addOption(
      new Option("--scope <scope>", "read, write or admin; may be given several times (default: read, write)")
        .choices(SCOPES)
        .argParser(readScope),
    )
    .option("--until <date>", "the last day on which it holds", dateUntil)
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  throughline token create --user ada --name laptop --for shop")
    .action((_, command: Command) => create(command.optsWithGlobals()));
  token
    .command("list")
    .description("list tokens, without their secrets")
    .addOption(jsonListOption())
    .action((_, command: Command) => list(command.optsWithGlobals()));
  token
    .command("revoke <id>")
    .description("take a token back; it holds no more from now on, at every server on this data")
    .action((id: string, _, command: Command) => revoke(id, command.optsWithGlobals()));
}

function readScope(text: string, before: readonly TokenScope[] = []): readonly TokenScope[] {
  const scope = SCOPES.find((one) => one === text);
  if (scope === undefined) throw new UsageError(`There is no scope ${text}.`, `Choose one of ${SCOPES.join(", ")}.`);
  return [...before, scope];
}

async function create(options: CreateOptions): Promise<void> {
  const { user, name, for: projects = [], scope = ["read", "write"], until, json } = options;
  await withNewData(options, async (open) => {
    const { store } = await open();
    const about = { name, userId: user, projects, scopes: [...new Set(scope)], createdAt: Date.now() };
    const { secret, token } = makeToken(until === undefined ? about : { ...about, expiresAt: until });
    await store.server.tokens.add(token);
    if (json) {
      process.stdout.write(printJson({ token: secret, ...withoutHash(token) }));
      return;
    }
    process.stdout.write(`${secret}\n`);
    process.stderr.write(
      `It is shown this once. Send it as: Authorization: Bearer …\nTo take it back: throughline token revoke ${token.id}\n`,
    );
  });
}

async function list(options: DataOptions & { readonly json?: boolean }): Promise<void> {
  const tokens = (await withKeptData(options, ({ store }) => store.server.tokens.list())) ?? [];
  process.stdout.write(options.json ? printJson(tokens.map(withoutHash)) : printTokens(tokens, Date.now()));
}

async function revoke(id: string, options: DataOptions): Promise<void> {
  const isRevoked = await withKeptData(options, ({ store }) => store.server.tokens.revoke(id, Date.now()));
  if (isRevoked !== true)
    throw new UsageError(`There is no token ${id} that holds.`, "`throughline token list` lists them.");
  process.stdout.write(`Token ${id} holds no more.\n`);
}

function withoutHash({ hash: _, ...token }: StoredToken): Omit<StoredToken, "hash"> {
  return token;
}
