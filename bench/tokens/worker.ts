import { parentPort, workerData } from "node:worker_threads";
import { type CounterName, loadCounter } from "./counters.ts";

const { counter, warmUp, text } = workerData as { counter: CounterName; warmUp: string; text: string };
const count = await loadCounter(counter);
// Tables are built at the first count and code is compiled as it runs: neither is what is measured.
count(warmUp);
parentPort?.postMessage({ ready: true });
const start = performance.now();
const tokens = count(text);
parentPort?.postMessage({ tokens, milliseconds: performance.now() - start });
