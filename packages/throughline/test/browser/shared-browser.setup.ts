import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { ensureProgram, programs } from "../../../../tools/ensure/ensure-program.mjs";
import { FLAGS } from "./browser-flags.ts";

/** Starts one Chromium for all test files of the project. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = await ensureProgram(programs.chromium);
  const server = await chromium.launchServer({ executablePath, args: FLAGS, host: "127.0.0.1" });
  project.provide("chromium", server.wsEndpoint());
  return () => server.close();
}
