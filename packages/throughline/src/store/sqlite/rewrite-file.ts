/** Runs in another thread with its own connection, and posts the error, if any. */
const SCRIPT = `
// Older Node warns once that SQLite is experimental.
process.emitWarning = () => {};
const { parentPort, workerData: path } = require("node:worker_threads");
const { DatabaseSync } = require("node:sqlite");
try {
  const database = new DatabaseSync(path);
  try {
    database.exec("PRAGMA busy_timeout = 20; PRAGMA secure_delete = ON; VACUUM");
  } finally {
    database.close();
  }
} catch ({ message, code, errcode }) {
  parentPort.postMessage({ message, code, errcode });
}
`;

/**
 * Rewrites a database file in another thread: SQLite does it in one step, which would block this thread for seconds.
 * The file must be open here, so that the other connection is not the last one to close it.
 */
export async function rewriteFile(path: string): Promise<void> {
  // Loaded here, because few processes need it.
  const { Worker } = await import("node:worker_threads");
  const worker = new Worker(SCRIPT, { eval: true, workerData: path, execArgv: [] });
  await new Promise<void>((resolve, reject) => {
    worker.once("message", ({ message, ...about }) => reject(Object.assign(new Error(message), about)));
    worker.once("error", reject);
    worker.once("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`The worker thread exited with code ${code}.`)),
    );
  });
}
