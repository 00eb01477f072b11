import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { type PostgresServer, startPostgres } from "../../packages/throughline/test/postgres-server.ts";
import { runAppends } from "./appends/run-appends.ts";
import type { BenchSetup } from "./bench-setup.ts";
import { runLoads } from "./loads/run-loads.ts";
import { makeMessages } from "./make-messages.ts";
import { loadMastra } from "./peers/mastra.ts";

const USAGE = "Usage: npm run bench -- store [--messages N] [--quick] [--skip-postgres] [--peers FOLDER]\n";

/** Measures the stores against plain inserts, and whether a long session opens as fast as a short one. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      messages: { type: "string" },
      quick: { type: "boolean", default: false },
      "skip-postgres": { type: "boolean", default: false },
      peers: { type: "string" },
    },
  });
  const messages = Number(values.messages ?? (values.quick ? 500 : 2_000));
  if (!(messages >= 10)) {
    process.stderr.write(USAGE);
    return 2;
  }
  const folder = mkdtempSync(path.join(tmpdir(), "throughline-bench-"));
  let server: PostgresServer | undefined;
  try {
    server = values["skip-postgres"] ? undefined : await startPostgres();
    const mastra = await loadMastra(values.peers);
    const setup: BenchSetup = { folder, server, mastra, make: makeMessages(), isQuick: values.quick };
    const keepsUp = await runAppends(setup, messages);
    const isFlat = await runLoads(setup);
    return keepsUp && isFlat ? 0 : 1;
  } finally {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
