import type { Writable } from "node:stream";
import type pg from "pg";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import { StoreError } from "../../errors/store-errors.ts";
import type { SqlValue } from "../sql/sql-driver.ts";
import {
  ConnectionLost,
  type PostgresConnection,
  type PostgresConnections,
  type PostgresSettings,
  type WithConnection,
} from "./connections.ts";
import { toStoreError } from "./store-problem.ts";

type Pg = typeof pg;

// A dead network is detected shortly after the server's own timeout.
const GRACE = 5000;
const HEARTBEAT = 30_000;
/** A URL, or the folder of a socket. */
const FORMS = /^(postgres(ql)?:|socket:|\/)/;

interface Clients {
  readonly pool: pg.Pool;
  /** Its queries time out. */
  readonly Client: new () => pg.Client;
  /** Its queries may take any time. */
  readonly PatientClient: new () => pg.Client;
}

/** Connections over the network. The driver is loaded and connections are made on demand. */
export class PostgresPool implements PostgresConnections {
  readonly #connectionString: string;
  readonly #settings: PostgresSettings;
  #clients: Promise<Clients> | undefined;
  #hasConnected = false;

  constructor(connectionString: string, settings: PostgresSettings) {
    checkConnectionString(connectionString);
    this.#connectionString = connectionString;
    this.#settings = settings;
  }

  withConnection: WithConnection = async (work) => {
    const { pool } = await this.#open();
    const client = await this.#connected(pool.connect());
    const connection = clientConnection(client);
    try {
      return await work(connection);
    } finally {
      // Not awaited: the answer of the last statement matters to the next user of the connection alone.
      void connection.finished.then(() => client.release(client.getTransactionStatus() !== "I"));
    }
  };

  withLongConnection: WithConnection = async (work) => {
    const { PatientClient } = await this.#open();
    const client = await this.#newClient(PatientClient);
    const connection = clientConnection(client);
    try {
      return await work(connection);
    } finally {
      await connection.finished;
      await client.end();
    }
  };

  async listen(channel: string, hear: (payload: string) => void, onLost: () => void): Promise<() => Promise<void>> {
    const { Client } = await this.#open();
    const client = await this.#newClient(Client);
    client.on("notification", ({ payload }) => hear(payload ?? ""));
    // Keep-alive, because firewalls silently drop idle connections.
    const heartbeat = setInterval(() => {
      client.query("SELECT 1").catch(() => client.end());
    }, HEARTBEAT);
    heartbeat.unref();
    const stop = () => {
      clearInterval(heartbeat);
      client.off("end", lose);
    };
    const lose = () => {
      stop();
      onLost();
    };
    client.on("end", lose);
    try {
      await clientConnection(client).script(`LISTEN "${channel.replaceAll('"', '""')}"`);
    } catch (error) {
      stop();
      await client.end();
      throw error;
    }
    return () => {
      stop();
      return client.end();
    };
  }

  async close(): Promise<void> {
    const clients = await this.#clients;
    await clients?.pool.end();
  }

  #open(): Promise<Clients> {
    this.#clients ??= loadPg().then((pg) => createClients(pg, this.#connectionString, this.#settings));
    return this.#clients;
  }

  async #newClient(Client: new () => pg.Client): Promise<pg.Client> {
    const client = new Client();
    await this.#connected(client.connect());
    return client;
  }

  /**
   * If the server has never answered, the address is wrong and the error is thrown at once; otherwise it may come back.
   */
  async #connected<T>(connecting: Promise<T>): Promise<T> {
    try {
      const connected = await connecting;
      this.#hasConnected = true;
      return connected;
    } catch (error) {
      const failure = unanswered(error);
      throw this.#hasConnected || isAnswer(error) ? failure : toStoreError(failure);
    }
  }
}

function createClients(pg: Pg, connectionString: string, settings: PostgresSettings): Clients {
  const patient: pg.ClientConfig = {
    connectionString,
    fallback_application_name: "throughline",
    connectionTimeoutMillis: settings.connectTimeout,
    // Statements are sent without waiting for the answers to those before; versions before 8.23 send them one by one.
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: HEARTBEAT,
    types: { getTypeParser: parserOf },
  };
  const Client = clientOf(pg, { ...patient, query_timeout: settings.statementTimeout + GRACE });
  // The pool itself has no timeout: waiting for a free connection is not waiting for the network.
  const pool = new pg.Pool({ Client, max: settings.maxConnections, allowExitOnIdle: true });
  pool.on("error", ignoreConnectionError);
  return { pool, Client, PatientClient: clientOf(pg, patient) };
}

/** Node's own error for a wrong URL would show the password. */
function checkConnectionString(connectionString: string): void {
  if (typeof connectionString === "string" && isConnectionString(connectionString)) return;
  const wanted = "postgres://user:password@host:port/database";
  throw new InvalidOptionError("connection string", "(hidden)", wanted);
}

function isConnectionString(text: string): boolean {
  // The client would accept any other text and connect to a default host.
  if (!FORMS.test(text)) return false;
  return !text.startsWith("postgres") || URL.canParse(text.replace(/@(%2F[^/?]*|\/)/i, "@localhost/"));
}

function clientOf(pg: Pg, config: pg.ClientConfig): new () => pg.Client {
  return class extends pg.Client {
    constructor() {
      super(config);
      this.on("error", ignoreConnectionError);
    }
  };
}

function ignoreConnectionError(): void {
  // Without a listener, losing an idle connection would end the process.
}

/** True if a server responded, even by closing the connection. */
function isAnswer(error: unknown): boolean {
  return isDatabaseError(error) || (error instanceof Error && "code" in error && error.code === "ECONNRESET");
}

/** Object identifiers of PostgreSQL's built-in types. */
const BOOL = 16;
const BYTEA = 17;
/** int8, int2, int4, oid, float4, float8 and numeric. */
const NUMBERS: readonly number[] = [20, 21, 23, 26, 700, 701, 1700];

/** Returns the parser of a type: numbers, bytes, and text for everything else. */
export function parserOf(type: number): (text: string) => SqlValue {
  if (NUMBERS.includes(type)) return Number;
  if (type === BOOL) return (text) => (text === "t" ? 1 : 0);
  if (type === BYTEA) return readBytes;
  return (text) => text;
}

/** Bytes in the format that the server is set to: `hex`, the default, or `escape`. */
function readBytes(text: string): Uint8Array {
  if (text.startsWith("\\x")) return new Uint8Array(Buffer.from(text.slice(2), "hex"));
  const unescaped = text.replaceAll(/\\(\\|[0-7]{3})/g, (_, code: string) =>
    code === "\\" ? code : String.fromCharCode(Number.parseInt(code, 8)),
  );
  return new Uint8Array(Buffer.from(unescaped, "latin1"));
}

/**
 * Makes a connection over the network. Statements are not prepared by name on the server: that saved only a tenth of an
 * append and failed behind connection poolers.
 */
function clientConnection(client: pg.ClientBase): PostgresConnection & { readonly finished: Promise<unknown> } {
  let finished: Promise<unknown> = Promise.resolve();
  // Not part of the documented interface, so it may be missing.
  const { stream } = (client as { readonly connection?: { readonly stream?: Partial<Writable> } }).connection ?? {};
  return {
    together(send) {
      stream?.cork?.();
      try {
        return send();
      } finally {
        stream?.uncork?.();
      }
    },
    get finished() {
      return finished;
    },
    finish(text) {
      // A lost connection is not reused.
      finished = client.query(text).catch(() => undefined);
    },
    async query(text, params = []) {
      try {
        const { rows, rowCount } = await client.query(text, [...params]);
        return { rows, changed: rowCount ?? 0 };
      } catch (error) {
        throw unanswered(error);
      }
    },
    async script(text) {
      await client.query(text).catch((error: unknown) => {
        throw unanswered(error);
      });
    },
  };
}

/** Wraps errors that are not answers of the server: the connection was lost. */
function unanswered(error: unknown): unknown {
  return isDatabaseError(error) ? error : new ConnectionLost(error);
}

/** Errors that PostgreSQL sent have a severity, such as `ERROR` or `FATAL`. */
function isDatabaseError(error: unknown): boolean {
  return error instanceof Error && "severity" in error && typeof error.severity === "string";
}

/** The PostgreSQL client, an optional peer dependency: loaded by the first connection. */
async function loadPg(): Promise<Pg> {
  try {
    return (await import("pg")).default;
  } catch (cause) {
    const hint = "Run: npm install pg";
    throw new StoreError("unsupported", "Could not load the package pg, which postgresStore needs.", {
      cause,
      hint,
    });
  }
}
