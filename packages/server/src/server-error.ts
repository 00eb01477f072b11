import { ThroughlineError } from "throughline";

/** What keeps a server from starting. Stable: callers may switch on it. */
export type ServerProblem = "missing-studio" | "no-address" | "no-permission" | "not-loopback" | "port-taken";

const HINTS: Readonly<Record<ServerProblem, string>> = {
  "missing-studio": "Run npm run build in the repository, or install the package again.",
  "no-address": "Use 127.0.0.1.",
  "no-permission": "Choose a port above 1023, such as --port 4870.",
  "not-loopback": "Use 127.0.0.1; from another machine, reach it through a tunnel: ssh -L 4870:127.0.0.1:4870 HOST.",
  "port-taken":
    "If it is Throughline, open that address; else choose another port: --port 4871, or 0 for any free one.",
};

/** A server could not start; nothing listens. */
export class ServerError extends ThroughlineError {
  readonly problem: ServerProblem;

  constructor(problem: ServerProblem, message: string, options?: { cause?: unknown }) {
    super("server", message, HINTS[problem], options);
    this.problem = problem;
  }
}
