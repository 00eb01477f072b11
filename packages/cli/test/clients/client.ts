import type { Fault } from "../../../server/test/provider/provider-server.ts";

/** Where a client runs, and what it talks to. */
export interface Place {
  readonly home: string;
  readonly repository: string;
  /** Folder of the client's packages. */
  readonly installed: string;
  /** Address of the server, without a path. */
  readonly url: string;
  readonly prompt: string;
}

/** How a client is started: files that it finds below its home, arguments, and variables. */
export interface Invocation {
  /** A program of the client's packages, or a script of ours in its folder. */
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

/** What `throughline init` is given, the file that it changes, and its content before (no file if not given). */
interface HookSetup {
  readonly args: readonly string[];
  readonly file: string;
  readonly before?: string;
  /** Arguments with which the client compacts the session that it has just had. */
  readonly compact?: readonly string[];
}

/** How a client gets to know an MCP server: by `throughline init`, by a file below its home, or as an argument. */
interface McpSetup {
  readonly setup?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  /** Calls `recall` by itself, without a model. */
  readonly direct?: Invocation;
}

/** How the user types `/remember`. */
interface RememberSetup {
  /** The agent for `throughline init`. */
  readonly agent: string;
  /** Types the prompt behind `/remember`; `server` is the command that starts our MCP server. */
  invoke(place: Place, server: readonly string[]): Invocation;
  /** What the model gets of the skill: all of it, or its description if the client has no `/remember` without a terminal. */
  readonly loads: "skill" | "description";
}

export interface Client {
  readonly name: string;
  /** Exact versions; clients of one folder share their packages. */
  readonly folder: string;
  readonly packages: Readonly<Record<string, string>>;
  /** Window in which the short task is played. */
  readonly shortWindow: number;
  /** Faults of the provider at which the client ends by itself, also without our server: they are left out. */
  readonly endsAt?: readonly Fault[];
  invoke?(place: Place): Invocation;
  /** Hooks or a plugin that `throughline init` sets up in the repository. */
  readonly hooks?: HookSetup;
  /** MCP; `server` is the command that starts ours. */
  mcp?(place: Place, server: readonly string[]): McpSetup;
  readonly remember?: RememberSetup;
  /** Pattern of the transcripts below the home. */
  readonly transcripts?: RegExp;
}
