#!/usr/bin/env node
import process from "node:process";

// Checked before anything else is loaded: an older Node would fail on some import with words that help nobody.
const NEEDED = { major: 22, minor: 13 };
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < NEEDED.major || (major === NEEDED.major && minor < NEEDED.minor)) {
  const needed = `${NEEDED.major}.${NEEDED.minor}`;
  process.stderr.write(`throughline needs Node ${needed} or newer; this is Node ${process.versions.node}.\n`);
  process.exitCode = 1;
} else {
  const { main } = await import("./main.ts");
  process.exitCode = await main(process.argv.slice(2));
}
