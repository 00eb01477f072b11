import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { findPostgres, type ServerUser, serverUser } from "./postgres-binaries.ts";

/** Timeout for a server, in another or in this process, long enough for a machine under load. */
export const START_TIME = 120_000;

/** Databases on a PostgreSQL server of this machine. */
export interface PostgresDatabases {
  /** The URL of a database; without a name that of the administrator. */
  url(database?: string): string;
  /**
   * The URL of a new database, which sorts text as a user's database does and not by its bytes. It is empty, or a copy
   * of another one.
   */
  createDatabase(copied?: string): Promise<string>;
  /** Runs statements as administrator. */
  run(sql: string): Promise<Record<string, unknown>[]>;
}

/** A separate PostgreSQL server on this machine, for the duration of the tests. */
export interface PostgresServer extends PostgresDatabases {
  /** Stops and starts again: after its running statements were canceled, or as after a crash. */
  restart(how: "fast" | "crash"): Promise<void>;
  stop(): Promise<void>;
}

// Commits must survive a crash of our processes and of the server, but not of the machine: fsync is off, because it is
// slow.
const SETTINGS = [
  "fsync=off",
  "full_page_writes=off",
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "max_connections=200",
  "log_timezone=UTC",
];

const SORTING = "LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C'";

// Waits for a command to stop the server. If this process ends without one, stops the server and cleans up.
const STOPPER = `
"$@" 2>>"$FOLDER/log" & server=$!
exec >/dev/null
read -r signal keep
kill -"\${signal:-QUIT}" "$server"
wait "$server"
[ -n "$keep" ] || rm -rf "$FOLDER"`;

/** Starts a server in a temporary folder. It ends with this process, however that ends. */
export async function startPostgres(): Promise<PostgresServer> {
  const cluster = await createCluster();
  const url = (database = "postgres") =>
    `postgres://postgres:${cluster.password}@127.0.0.1:${cluster.port}/${database}`;
  let server = await launch(cluster, url());
  return {
    ...databasesOf(url),
    async restart(how) {
      await halt(server, how === "fast" ? "INT keep\n" : "QUIT keep\n");
      server = await launch(cluster, url());
    },
    async stop() {
      // Its data is no longer needed, so it does not flush it.
      await halt(server, "QUIT\n");
    },
  };
}

/** @param url of a database by its name; without a name that of the administrator */
export function databasesOf(url: (database?: string) => string): PostgresDatabases {
  const run = (sql: string) => query(url(), sql);
  return {
    url,
    run,
    async createDatabase(copied) {
      const name = `test_${randomBytes(8).toString("hex")}`;
      await run(`CREATE DATABASE ${name} TEMPLATE ${copied ?? `template0 ${SORTING}`}`);
      return url(name);
    },
  };
}

interface Cluster {
  readonly folder: string;
  readonly bin: string;
  readonly password: string;
  readonly port: number;
  readonly user: ServerUser | undefined;
}

async function createCluster(): Promise<Cluster> {
  const user = serverUser();
  const folder = mkdtempSync(join(tmpdir(), "throughline-postgres-"));
  chmodSync(folder, 0o755);
  const bin = findPostgres(user, folder);
  const password = randomBytes(12).toString("hex");
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, password);
  if (user !== undefined) execFileSync("chown", ["-R", `${user.uid}:${user.gid}`, folder]);
  // Each test connects many times, and SCRAM costs ten milliseconds of processor time for each connection.
  const access = ["-U", "postgres", "--auth=md5", `--pwfile=${passwordFile}`];
  const format = ["-E", "UTF8", "--no-locale", "--no-sync"];
  execFileSync(join(bin, "initdb"), ["-D", join(folder, "data"), ...access, ...format], {
    cwd: folder,
    stdio: "ignore",
    ...user,
  });
  return { folder, bin, password, port: await freePort(), user };
}

async function launch({ folder, bin, port, user }: Cluster, url: string): Promise<ChildProcess> {
  const settings = [...SETTINGS, `port=${port}`].flatMap((setting) => ["-c", setting]);
  const command = [join(bin, "postgres"), "-D", join(folder, "data"), ...settings];
  // In a separate process group, so that Ctrl-C reaches it only through this process.
  const server = spawn("sh", ["-c", STOPPER, "sh", ...command], {
    cwd: folder,
    env: { ...process.env, FOLDER: folder },
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
    ...user,
  });
  server.unref();
  await untilReady(url, server, join(folder, "log"));
  return server;
}

async function halt(server: ChildProcess, word: string): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.ref();
  const exit = once(server, "exit");
  server.stdin?.end(word);
  await exit;
}

/** Runs statements over a connection of their own. */
export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows;
  } finally {
    await client.end();
  }
}

async function untilReady(url: string, server: ChildProcess, log: string): Promise<void> {
  let hasEnded = false;
  server.stdout?.resume().once("end", () => {
    hasEnded = true;
  });
  for (let tries = 0; tries < 600 && !hasEnded; tries += 1) {
    const isReady = await query(url, "SELECT 1").then(
      () => true,
      () => false,
    );
    if (isReady) return;
    await sleep(50);
  }
  throw new Error(`PostgreSQL did not start:\n${readFileSync(log, "utf8")}`);
}

/** A free port. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => {
    probe.listen(0, "127.0.0.1", resolve);
  });
  const address = probe.address();
  await new Promise((resolve) => {
    probe.close(resolve);
  });
  if (address === null || typeof address === "string") throw new Error("There is no free port.");
  return address.port;
}
