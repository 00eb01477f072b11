import process from "node:process";
import { wordEmbedder } from "throughline";

// Prints the cost of the first text in a new process, as JSON.
const held = () => {
  globalThis.gc?.();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + Math.max(external, arrayBuffers);
};
const embedder = wordEmbedder();
const before = held();
const start = performance.now();
await embedder.embed(["We moved to PostgreSQL in May."]);
const milliseconds = performance.now() - start;
console.log(JSON.stringify({ milliseconds, bytes: held() - before }));
