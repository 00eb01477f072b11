import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { startProxy } from "./tcp-proxy.ts";

/** A proxy to a PostgreSQL server that counts round trips. */
export interface RoundTripProxy {
  readonly url: string;
  /** Runs work and returns the number of round trips meanwhile, over all connections. */
  count(work: () => Promise<unknown>): Promise<number>;
  close(): Promise<void>;
}

// Types of messages of PostgreSQL's protocol: the client ends a request with Query or Sync, the server answers each of
// them with ReadyForQuery.
const [QUERY, SYNC, READY] = ["Q", "S", "Z"].map((type) => type.charCodeAt(0));

/**
 * Starts a proxy. A round trip starts when the client sends a request while it waits for no answer: requests that are
 * sent together count as one.
 */
export async function startRoundTripProxy(url: string): Promise<RoundTripProxy> {
  let trips = 0;
  const proxy = await startProxy(url, (client, upstream) => {
    join(client, upstream, () => {
      trips += 1;
    });
  });
  return {
    ...proxy,
    async count(work) {
      await allReceived();
      const before = trips;
      await work();
      await allReceived();
      return trips - before;
    },
  };
}

/** Waits until the proxy has read all that was sent: reads that end without waiting for it send a last statement. */
async function allReceived(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await setImmediate();
}

function join(client: Socket, upstream: Socket, onTrip: () => void): void {
  const end = () => {
    client.destroy();
    upstream.destroy();
  };
  client.on("error", end).on("close", end);
  upstream.on("error", end).on("close", end);
  // The first message of a connection has no type.
  const [sent, received] = [messageTypes(1), messageTypes(0)];
  let waiting = 0;
  client.on("data", (data) => {
    const requests = sent(data).filter((type) => type === QUERY || type === SYNC).length;
    if (requests > 0 && waiting === 0) onTrip();
    waiting += requests;
    upstream.write(data);
  });
  upstream.on("data", (data) => {
    waiting = Math.max(0, waiting - received(data).filter((type) => type === READY).length);
    client.write(data);
  });
}

/** Returns a function that reads the types of the messages that end in a chunk of a stream. */
function messageTypes(untyped: number): (chunk: Buffer) => readonly number[] {
  let rest = Buffer.alloc(0);
  let skipped = untyped;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const types: number[] = [];
    for (;;) {
      const start = skipped > 0 ? 0 : 1;
      if (rest.length < start + 4) return types;
      const length = start + rest.readUInt32BE(start);
      if (rest.length < length) return types;
      if (skipped > 0) skipped -= 1;
      else types.push(rest[0] ?? 0);
      rest = rest.subarray(length);
    }
  };
}
