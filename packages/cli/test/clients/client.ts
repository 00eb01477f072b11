import type { Fault } from "../../../server/test/provider/provider-server.ts";

/** Folder and server address of a client. */
export interface Place {
  readonly home: string;
  readonly repository: string;
  /** Folder of the client's packages. */
  readonly installed: string;
  /** Address of the server, without a path. */
  readonly url: string;
  readonly prompt: string;
}

/** Start options of a client: files below its home, arguments and variables. */
export interface Invocation {
  /** A program of the client's packages, or a script in the folder of these tests. */
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

/**
 * Arguments of `throughline init`, the file that it changes, and the file's previous content (no file if not given).
 */
interface HookSetup {
  readonly args: readonly string[];
  readonly file: string;
  readonly before?: string;
  /** Arguments that make the client compact its last session. */
  readonly compact?: readonly string[];
}

/** Configuration of an MCP server: by `throughline init`, by a file below the home folder, or as an argument. */
interface McpSetup {
  readonly setup?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  /** Calls `recall` by itself, without a model. */
  readonly direct?: Invocation;
}

/** The user's input for `/remember`. */
interface RememberSetup {
  /** The agent for `throughline init`. */
  readonly agent: string;
  /** Types the prompt behind `/remember`; `server` is the command that starts our MCP server. */
  invoke(place: Place, server: readonly string[]): Invocation;
  /**
   * Part of the skill that the model gets: all of it, or its description if the client has no `/remember` without a
   * terminal.
   */
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
