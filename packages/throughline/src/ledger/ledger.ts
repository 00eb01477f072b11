/** How a request ended: with work, with an answer, or because the user stopped it. Until then it is open. */
export type RequestState = "open" | "done" | "answered" | "stopped";

/** A request of the user, verbatim with its lines; a huge paste is cut to head and tail. */
export interface LedgerRequest {
  readonly text: string;
  /** Id of the text part, if it can be used in a handle. */
  readonly part?: string;
  /** Number of its message in the session, from 1. All positions in a ledger count messages. */
  readonly at: number;
  /** When it was said, in milliseconds since 1970; left out if unknown. */
  readonly time?: number;
  readonly state: RequestState;
  /** What was done for it: a file was changed, or at least a command was run. */
  readonly work?: "ran" | "changed";
  /** Characters that the assistant has written about it. */
  readonly said: number;
}

/** A sentence of the assistant that says what was done, found or decided, verbatim or visibly cut. */
export interface LedgerStatement {
  readonly text: string;
  readonly at: number;
  /** Position among the sentences of its message, from 0. */
  readonly order: number;
}

/** The last sentence in which the assistant announced a next step or asked the user something. */
export interface LedgerOutlook {
  readonly kind: "next" | "question";
  readonly text: string;
  readonly at: number;
}

/** A rule, a preference, a correction or the reason for a refusal, in the user's words. */
export interface LedgerConstraint {
  readonly text: string;
  readonly at: number;
  /** Left out for a rule or a preference, and for the reason for a refusal. */
  readonly kind?: "correction";
  /** The call that the user refused for this reason; "" if it is unknown, left out if nothing was refused. */
  readonly refused?: string;
  /** The refused call was made later, with the user's consent: the reason was for the moment. */
  readonly wasDone?: true;
  /** How often the user said it, if more than once. */
  readonly times?: number;
  /** How far it ranks behind rules of other messages, if its message had many. */
  readonly behind?: number;
  /** Id of the text part, if it can be used in a handle. */
  readonly part?: string;
}

export type FileAction = "read" | "edited" | "written" | "created" | "deleted" | "renamed";

/** One file and what was done to it. */
export interface LedgerFile {
  /** Names the file within this ledger, so that identifiers can point to it. */
  readonly id: number;
  readonly path: string;
  /** How often each thing was done; what never happened is left out. */
  readonly actions: { readonly [A in FileAction]?: number };
  readonly last: FileAction;
  readonly at: number;
  /** Where it went, when it was renamed. */
  readonly to?: string;
}

export interface LedgerCommand {
  readonly text: string;
  /** What the command is about, without flags and pipes: two commands of one gist are the same attempt. */
  readonly gist: string;
  readonly runs: number;
  readonly outcome: "running" | "ok" | "failed" | "refused";
  readonly exitCode?: number;
  /** Whether it tests, checks or builds. */
  readonly tests?: boolean;
  /** The line of its result that says most, when it failed. */
  readonly says?: string;
  readonly at: number;
}

export interface LedgerError {
  readonly text: string;
  /** The command or the file that it came from. */
  readonly source: string;
  readonly gist: string;
  readonly at: number;
  /** What made it go away; an error without it is open. */
  readonly resolved?: string;
}

export type TodoStatus = "pending" | "in_progress" | "completed";

export interface LedgerTodo {
  readonly id?: string;
  readonly text: string;
  readonly status: TodoStatus;
  /** Who keeps it: the list of a tool replaces itself whole, tasks and check boxes come one by one. */
  readonly list: "tool" | "tasks" | "text";
  readonly at: number;
}

/** One identifier, when it was last seen by the ledger's clock, and how much it was used. */
export interface LedgerName {
  readonly text: string;
  readonly seen: number;
  /** Weight of all mentions: fading fast, fading slowly, and whole. */
  readonly heat: readonly [number, number, number];
  /** The file that it was last used with. */
  readonly file?: number;
}

/** Something that a call does to a file, with the id that the file has or will have. */
export interface PendingTouch {
  readonly id: number;
  readonly path: string;
  readonly action: FileAction;
  /** New path of a file that is renamed. */
  readonly to?: string;
}

/** What a call does unless it is refused or fails. */
export interface PendingEffect {
  /** Position of the call. */
  readonly at: number;
  readonly touches: readonly PendingTouch[];
  /** Text of its shell command. */
  readonly command?: string;
  /** Whether a failure means that it did nothing to files. */
  readonly isAllOrNothing?: boolean;
  /** It changes something other than files, such as a page of a website. */
  readonly isChange?: boolean;
}

/** A call whose result has not come yet. */
export interface PendingCall {
  readonly id: string;
  readonly gist?: string;
  readonly file?: number;
  readonly tests?: boolean;
  readonly tool?: string;
  /** Id of the approval that it waits for. */
  readonly approval?: string;
  /** Keys of all commands of a script. */
  readonly parts?: readonly string[];
  /** Left out if the call does nothing that is noted, or if it was noted without waiting for the result. */
  readonly effect?: PendingEffect;
  /** Whether the user refused it; its result may still come. */
  readonly refused?: boolean;
}

/**
 * Record of a session that rules derive from its messages: requests, rules of the user, files, commands, errors,
 * decisions, to-dos and names. Plain data: you can store it as JSON and continue from it.
 */
export interface Ledger {
  /** Version of the format. */
  readonly version: 2;
  /** Number of messages so far. */
  readonly messages: number;
  /** Size of their texts in rough tokens. Names count less the longer ago they were used by this measure. */
  readonly clock: number;
  /** Id of the next file. */
  readonly nextFile: number;
  /** Requests of the user, verbatim. */
  readonly requests: readonly LedgerRequest[];
  /** Rules that the user gave, verbatim. */
  readonly constraints: readonly LedgerConstraint[];
  /** Number of older requests and rules that were dropped because the ledger was full. The history still has them. */
  readonly letGo: { readonly requests: number; readonly constraints: number };
  /** Files, and what was done to them. */
  readonly files: readonly LedgerFile[];
  /** Shell commands with their last result. */
  readonly commands: readonly LedgerCommand[];
  /** Errors. Those without `resolved` are open. */
  readonly errors: readonly LedgerError[];
  /** Sentences of the assistant that say what was done, found or decided. */
  readonly statements: readonly LedgerStatement[];
  /** The next step or question with which the last reply ended. */
  readonly outlook?: LedgerOutlook;
  /** To-dos of the assistant and the user. */
  readonly todos: readonly LedgerTodo[];
  /** Identifiers, in buckets by hash. */
  readonly names: readonly (readonly LedgerName[])[];
  /** Tool calls without a result. */
  readonly pending: readonly PendingCall[];
}

/** The ledger of a session without messages. Start with it. */
export const EMPTY_LEDGER: Ledger = {
  version: 2,
  messages: 0,
  clock: 0,
  nextFile: 1,
  requests: [],
  constraints: [],
  letGo: { requests: 0, constraints: 0 },
  files: [],
  commands: [],
  errors: [],
  statements: [],
  todos: [],
  names: [],
  pending: [],
};
