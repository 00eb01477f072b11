import { spawn } from "node:child_process";
import process from "node:process";

/** Disables programs, fetches and prompts that a repository's own settings could start. */
const SAFE_SETTINGS = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.askPass=",
  "credential.helper=",
  "protocol.allow=never",
  "log.showSignature=false",
  "color.ui=false",
];
const SAFE_VARIABLES = {
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_LAZY_FETCH: "1",
  LC_ALL: "C",
};
const MAX_COMPLAINT_LENGTH = 4_000;

export interface GitRun {
  readonly output: AsyncIterable<Uint8Array>;
  /** The exit code (`undefined` if git is missing) and the error output. */
  readonly end: Promise<{ readonly code: number | undefined; readonly complaint: string }>;
  stop(): void;
}

/** Starts git in a folder. Arguments come only from this program; external values are validated first. */
export function runGit(root: string, args: readonly string[], signal?: AbortSignal): GitRun {
  signal?.throwIfAborted();
  const settings = SAFE_SETTINGS.flatMap((setting) => ["-c", setting]);
  const child = spawn("git", ["--no-pager", ...settings, ...args], {
    cwd: root,
    env: { ...withoutGit(process.env), ...SAFE_VARIABLES },
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(0, MAX_COMPLAINT_LENGTH);
  });
  const stop = (): void => {
    child.kill();
  };
  signal?.addEventListener("abort", stop, { once: true });
  const end = new Promise<{ code: number | undefined; complaint: string }>((resolve) => {
    child.once("error", () => resolve({ code: undefined, complaint }));
    child.once("close", (code) => resolve({ code: code ?? -1, complaint }));
  }).finally(() => signal?.removeEventListener("abort", stop));
  return { output: child.stdout, end, stop };
}

/** The whole output of a short command, and its exit code. */
export async function askGit(
  root: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<{ readonly code: number | undefined; readonly complaint: string; readonly answer: string }> {
  const { output, end } = runGit(root, args, signal);
  const chunks: Uint8Array[] = [];
  for await (const chunk of output) chunks.push(chunk);
  const ended = await end;
  signal?.throwIfAborted();
  return { ...ended, answer: Buffer.concat(chunks).toString("utf8") };
}

/** Inside a git hook, environment variables point to another repository. */
function withoutGit(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !name.startsWith("GIT_")));
}
