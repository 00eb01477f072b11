import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly input?: string;
}

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly isTimeout: boolean;
  /** Stops processes that the command left running, such as hooks. */
  stopRest(): void;
}

/** Each process leads its own group, so that its children can be stopped with it. */
const running = new Set<ChildProcess>();

export function start({ command, args, env, cwd }: Command): ChildProcess {
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  running.add(child);
  child.on("close", () => running.delete(child));
  child.stdin?.on("error", () => undefined);
  return child;
}

export function stop(child: ChildProcess, signal: NodeJS.Signals = "SIGTERM"): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group has ended by itself.
  }
}

export function stopAll(): void {
  for (const child of running) stop(child, "SIGKILL");
}

/** Runs a command until it ends or times out. */
export async function runToEnd(command: Command, timeout: number): Promise<Ended> {
  const child = start(command);
  let [stdout, stderr, isTimeout] = ["", "", false];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.on("error", (error) => {
    stderr += error.message;
  });
  child.stdin?.end(command.input ?? "");
  const timer = setTimeout(() => {
    isTimeout = true;
    stop(child, "SIGKILL");
  }, timeout);
  const [code] = await once(child, "close").catch(() => [127]);
  clearTimeout(timer);
  return { code: code ?? 1, stdout, stderr, isTimeout, stopRest: () => stop(child, "SIGKILL") };
}
