import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { root } from "../run/paths.mjs";
import { run } from "../run/run.mjs";

const EXPECTED = {
  fits: true,
  wasCompacted: true,
  violations: [],
  recalled: "The database of the shop is PostgreSQL.",
};

/**
 * Bundles a worker with the built library, as the tools of Cloudflare Workers do, and asks it in workerd.
 *
 * @param {string} installed folder with esbuild and workerd
 */
export async function checkEdge(installed) {
  const folder = join(installed, "worker");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const bin = join(installed, "node_modules", ".bin");
  const options = [
    "--bundle",
    "--format=esm",
    "--platform=neutral",
    "--conditions=workerd,worker,browser",
    "--log-level=error",
  ];
  const data = ["--loader:.bin=copy", "--asset-names=[name]"];
  const out = `--outfile=${join(folder, "worker.js")}`;
  const bundle = await run(join(bin, "esbuild"), [
    join(root, "tools/runtimes/edge-worker.mjs"),
    ...options,
    ...data,
    out,
  ]);
  assert.ok(bundle.ok, bundle.output);
  const port = await freePort();
  const config = join(folder, "config.capnp");
  writeFileSync(config, configOf(port));
  const workerd = spawn(workerdBinary(installed), ["serve", config], { stdio: ["ignore", "ignore", "inherit"] });
  try {
    assert.deepEqual(await answerOf(`http://127.0.0.1:${port}/`), EXPECTED);
  } finally {
    workerd.kill();
    await once(workerd, "exit");
  }
}

/**
 * The program itself: the script of the package starts it as another process, which would outlive the script.
 *
 * @param {string} installed
 */
function workerdBinary(installed) {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `workerd-${platform}-${process.arch === "arm64" ? "arm64" : "64"}`;
  return join(installed, "node_modules", "@cloudflare", name, "bin", "workerd");
}

/** @param {number} port */
function configOf(port) {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [
    (name = "worker.js", esModule = embed "worker.js"),
    (name = "token-ranks.bin", data = embed "token-ranks.bin"),
    (name = "word-vectors.bin", data = embed "word-vectors.bin"),
  ],
  compatibilityDate = "2026-11-01",
);
`;
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  assert.ok(typeof address === "object" && address !== null);
  return address.port;
}

/**
 * Asks until the server listens.
 *
 * @param {string} url
 */
async function answerOf(url) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const response = await fetch(url);
      assert.equal(response.status, 200, await response.clone().text());
      return await response.json();
    } catch (error) {
      if (!(error instanceof TypeError) || attempt === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
