import { Worker } from "node:worker_threads";

/** Runs in another thread, on a connection of its own, and posts the error if there is one. */
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
 * Writes a database file anew in another thread: SQLite does it in one go, and a large file would hold this thread for
 * seconds. The file must be open here, so that the other connection is not the last one to close it.
 */
export async function rewriteFile(path: string): Promise<void> {
  const worker = new Worker(SCRIPT, { eval: true, workerData: path, execArgv: [] });
  await new Promise<void>((resolve, reject) => {
    worker.once("message", ({ message, ...about }) => reject(Object.assign(new Error(message), about)));
    worker.once("error", reject);
    worker.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`The thread ended with ${code}.`))));
  });
}
