import pg from "pg";
import { InvalidOptionError } from "../../errors/invalid-option-error.ts";
import { clientConnection, unanswered } from "./client-connection.ts";
import type { Lend, PostgresConnections } from "./connections.ts";
import type { PostgresSettings } from "./options.ts";
import { parserOf } from "./parse-value.ts";
import { toStoreError } from "./store-problem.ts";

// A network that swallows everything is noticed a little after the server would have given up.
const GRACE = 5000;
const HEARTBEAT = 30_000;
/** An address, or the folder of a socket. */
const FORMS = /^(postgres(ql)?:|socket:|\/)/;

/** Connections over the network. Nothing is connected before it is needed. */
export class PostgresPool implements PostgresConnections {
  readonly #pool: pg.Pool;
  readonly #Client: new () => pg.Client;
  readonly #PatientClient: new () => pg.Client;
  #hasConnected = false;

  constructor(connectionString: string, settings: PostgresSettings) {
    const patient: pg.ClientConfig = {
      connectionString,
      fallback_application_name: "throughline",
      connectionTimeoutMillis: settings.connectMilliseconds,
      keepAlive: true,
      keepAliveInitialDelayMillis: HEARTBEAT,
      types: { getTypeParser: parserOf },
    };
    checkConnectionString(connectionString);
    this.#PatientClient = clientOf(patient);
    this.#Client = clientOf({ ...patient, query_timeout: settings.statementMilliseconds + GRACE });
    // The pool gets no time-out of its own: who waits for others is not who waits for the network.
    this.#pool = new pg.Pool({ Client: this.#Client, max: settings.maxConnections, allowExitOnIdle: true });
    this.#pool.on("error", noticedByTheNextStatement);
  }

  lend: Lend = async (work) => {
    const client = await this.#connected(this.#pool.connect());
    try {
      return await work(clientConnection(client));
    } finally {
      client.release(client.getTransactionStatus() !== "I");
    }
  };

  lendForLong: Lend = async (work) => {
    const client = await this.#newClient(this.#PatientClient);
    try {
      return await work(clientConnection(client));
    } finally {
      await client.end();
    }
  };

  async listen(channel: string, hear: (payload: string) => void, onLost: () => void): Promise<() => Promise<void>> {
    const client = await this.#newClient(this.#Client);
    client.on("notification", ({ payload }) => hear(payload ?? ""));
    // Firewalls forget connections on which nothing is said, and tell nobody.
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
      await clientConnection(client).script(`LISTEN ${pg.escapeIdentifier(channel)}`);
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
    await this.#pool.end();
  }

  async #newClient(Client: new () => pg.Client): Promise<pg.Client> {
    const client = new Client();
    await this.#connected(client.connect());
    return client;
  }

  /** Where nobody ever answered, the address is wrong and it is told at once; who was there may come back. */
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

/** What Node says of a wrong one would hold the password. */
function checkConnectionString(connectionString: string): void {
  try {
    // Of anything else the client makes something, and connects to it.
    if (FORMS.test(connectionString) && new pg.Client({ connectionString }).host !== "") return;
  } catch {
    // Told below, in our own words.
  }
  const wanted = "postgres://user:password@host:port/database";
  throw new InvalidOptionError("The connection string", "not one of PostgreSQL", wanted);
}

function clientOf(config: pg.ClientConfig): new () => pg.Client {
  return class extends pg.Client {
    constructor() {
      super(config);
      this.on("error", noticedByTheNextStatement);
    }
  };
}

function noticedByTheNextStatement(): void {
  // Without a listener, a connection that is lost while nobody uses it would end the process.
}

/** Somebody is there, if only to break off. */
function isAnswer(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError || (error instanceof Error && "code" in error && error.code === "ECONNRESET")
  );
}
