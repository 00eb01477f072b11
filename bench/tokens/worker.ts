import { parentPort, workerData } from "node:worker_threads";
import { type CounterName, loadCounter } from "./counters.ts";

const { counter, warmUp, text } = workerData as { counter: CounterName; warmUp: string; text: string };
const count = await loadCounter(counter);
// Warm-up: building tables and compiling code is not measured.
count(warmUp);
parentPort?.postMessage({ ready: true });
const start = performance.now();
const tokens = count(text);
parentPort?.postMessage({ tokens, milliseconds: performance.now() - start });
