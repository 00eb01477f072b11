import { parentPort, workerData } from "node:worker_threads";
import { answerSearches } from "throughline/internal/engine";

// The thread behind a `SearchWorker`. An error ends it.

/** A message, and its number for the answer. */
export interface WorkerRequest {
  readonly serial: number;
  readonly message: unknown;
}

export interface WorkerAnswer {
  readonly serial: number;
  readonly result: unknown;
}

const answer = answerSearches(workerData as number);

parentPort?.on("message", ({ serial, message }: WorkerRequest) => {
  parentPort?.postMessage({ serial, result: answer(message) } satisfies WorkerAnswer);
});
parentPort?.on("messageerror", (error) => {
  throw error;
});
