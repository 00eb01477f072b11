import type { Socket } from "node:net";
import { startProxy } from "./tcp-proxy.ts";

/** A proxy to a server whose connections a test can cut. */
export interface CuttingProxy {
  readonly url: string;
  /**
   * Breaks the connection over which the next COMMIT goes: before it reaches the server; during it, so that only the
   * client notices; or behind it, when the server has answered and the answer is lost.
   */
  cutNextCommit(when: Moment): void;
  /** Delays new connections until the returned function is called. */
  hold(): () => void;
  close(): Promise<void>;
}

type Moment = "before" | "during" | "behind";

const COMMIT = Buffer.from("COMMIT\0");

/** Starts a proxy, so that a connection can be cut at a chosen moment. */
export async function startCuttingProxy(url: string): Promise<CuttingProxy> {
  let cut: Moment | undefined;
  let held: Promise<void> = Promise.resolve();
  const takeCut = () => {
    const moment = cut;
    cut = undefined;
    return moment;
  };
  const proxy = await startProxy(
    url,
    (client, upstream) => join(client, upstream, takeCut),
    () => held,
  );
  return {
    ...proxy,
    cutNextCommit(when) {
      cut = when;
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
  };
}

function join(client: Socket, upstream: Socket, takeCut: () => Moment | undefined): void {
  let isCut = false;
  const end = () => {
    client.destroy();
    upstream.destroy();
  };
  client.on("error", end).on("close", () => isCut || end());
  upstream.on("error", end).on("close", end);
  client.on("data", (data) => {
    const moment = data.includes(COMMIT) ? takeCut() : undefined;
    isCut ||= moment !== undefined;
    if (moment === "before") return end();
    upstream.write(data);
    if (moment === "during") client.destroy();
  });
  upstream.on("data", (data) => {
    if (isCut) end();
    else client.write(data);
  });
}
