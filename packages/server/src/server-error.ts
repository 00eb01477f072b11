import { ThroughlineError } from "throughline";

/** Reason why a server cannot start. Stable: callers may switch on it. */
export type ServerProblem = "missing-studio" | "no-address" | "no-permission" | "not-loopback" | "port-taken";

const HINTS: Readonly<Record<ServerProblem, string>> = {
  "missing-studio": "Run npm run build in the repository, or reinstall the package.",
  "no-address": "Use 127.0.0.1.",
  "no-permission": "Use a port above 1023, such as --port 4870.",
  "not-loopback": "Use 127.0.0.1. To reach it from another machine, use a tunnel: ssh -L 4870:127.0.0.1:4870 HOST.",
  "port-taken":
    "If Throughline is already running there, open that address. Otherwise use another port: --port 4871, or 0 for any free one.",
};

/**
 * A server could not start. Nothing is listening.
 *
 * @example
 * await createServer({ port: 4870 }).catch((error) => {
 *   if (error instanceof ServerError && error.problem === "port-taken") return createServer({ port: 0 });
 *   throw error;
 * });
 */
export class ServerError extends ThroughlineError {
  readonly problem: ServerProblem;

  constructor(problem: ServerProblem, message: string, options?: { cause?: unknown }) {
    super("server", message, HINTS[problem], options);
    this.problem = problem;
  }
}
