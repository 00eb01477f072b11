/** State of a request: open, ended with work or an answer, or stopped by the user. */
export type RequestState = "open" | "done" | "answered" | "stopped";

/** A request of the user, verbatim with its lines; a huge paste is cut to head and tail. */
export interface LedgerRequest {
  readonly text: string;
  /** Id of the text part, if it can be used in a handle. */
  readonly part?: string;
  /** Number of its message in the session, from 1. All positions in a ledger are numbers of messages. */
  readonly at: number;
  /** Time of the message, in milliseconds since 1970; missing if unknown. */
  readonly time?: number;
  readonly state: RequestState;
  /** Work on the request: a file was changed, or at least a command was run. */
  readonly work?: "ran" | "changed";
  /** Number of characters that the assistant has written about it. */
  readonly said: number;
}

/** A sentence of the assistant about a result, a finding or a decision, verbatim or visibly cut. */
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

/** An option that a reply offers, with its number or letter. */
export interface LedgerOption {
  readonly label: string;
  /** The line of the reply, visibly cut if it is long. */
  readonly text: string;
}

/** A rule, a preference, a correction or the reason for a refusal, in the user's words. */
export interface LedgerConstraint {
  readonly text: string;
  readonly at: number;
  /** Missing for a rule or a preference, and for the reason for a refusal. */
  readonly kind?: "correction";
  /** The call that the user refused for this reason; "" if it is unknown, missing if no call was refused. */
  readonly refused?: string;
  /** The refused call was made later, with the user's consent, so the reason was temporary. */
  readonly wasDone?: true;
  /** Number of times that the user stated it, if more than one. */
  readonly times?: number;
  /** Number of ranks behind rules of other messages, if its message had many. */
  readonly behind?: number;
  /** Id of the text part, if it can be used in a handle. */
  readonly part?: string;
}

export type FileAction = "read" | "edited" | "written" | "created" | "deleted" | "renamed";

/** A file and the actions on it. */
export interface LedgerFile {
  /** Id of the file within this ledger, to which identifiers refer. */
  readonly id: number;
  readonly path: string;
  /** Counts of the actions. Actions that never happened are missing. */
  readonly actions: { readonly [A in FileAction]?: number };
  readonly last: FileAction;
  readonly at: number;
  /** New path, if the file was renamed. */
  readonly to?: string;
}

export interface LedgerCommand {
  readonly text: string;
  /** The command without flags and pipes. Two commands with the same gist are attempts at the same thing. */
  readonly gist: string;
  readonly runs: number;
  readonly outcome: "running" | "ok" | "failed" | "refused";
  readonly exitCode?: number;
  /** True if it tests, checks or builds. */
  readonly tests?: boolean;
  /** The most informative line of its result, if it failed. */
  readonly says?: string;
  readonly at: number;
}

export interface LedgerError {
  readonly text: string;
  /** The command or the file that the error came from. */
  readonly source: string;
  readonly gist: string;
  readonly at: number;
  /** The change that resolved the error. Missing if the error is open. */
  readonly resolved?: string;
}

export type TodoStatus = "pending" | "in_progress" | "completed";

export interface LedgerTodo {
  readonly id?: string;
  readonly text: string;
  readonly status: TodoStatus;
  /** Source of the to-do. The list of a tool is replaced as a whole; tasks and check boxes are updated one by one. */
  readonly list: "tool" | "tasks" | "text";
  readonly at: number;
}

/** An identifier, the time of its last mention by the ledger's clock, and its use. */
export interface LedgerName {
  readonly text: string;
  readonly seen: number;
  /** Weights of all mentions: with fast decay, with slow decay, and without decay. */
  readonly heat: readonly [number, number, number];
  /** The file that it was last used with. */
  readonly file?: number;
}

/** An action of a call on a file, with the id that the file has or will get. */
export interface PendingTouch {
  readonly id: number;
  readonly path: string;
  readonly action: FileAction;
  /** New path of a file that is renamed. */
  readonly to?: string;
}

/** Effects of a call, unless it is refused or fails. */
export interface PendingEffect {
  /** Position of the call. */
  readonly at: number;
  readonly touches: readonly PendingTouch[];
  /** Text of its shell command. */
  readonly command?: string;
  /** True if a failed call did nothing to files. */
  readonly isAllOrNothing?: boolean;
  /** True if it changes something other than files, such as a page of a website. */
  readonly isChange?: boolean;
  /** Lines that it adds to a file. */
  readonly lines?: readonly string[];
}

/** Lines of code that a call added to a file. */
export interface LedgerChange {
  /** Id of the file. */
  readonly file: number;
  /** The lines with the most names, in their order, each visibly cut if it is long. */
  readonly lines: readonly string[];
  readonly at: number;
}

/** A call without a result yet. */
export interface PendingCall {
  readonly id: string;
  readonly gist?: string;
  readonly file?: number;
  readonly tests?: boolean;
  readonly tool?: string;
  /** Id of the approval that it waits for. */
  readonly approval?: string;
  /** Gists of all commands of a script. */
  readonly parts?: readonly string[];
  /** Missing if the call has no recorded effect, or if its effect was recorded without waiting for the result. */
  readonly effect?: PendingEffect;
  /** True if the user refused it. Its result may still arrive. */
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
  /** Size of their texts in approximate tokens. The weight of a name decays with this clock. */
  readonly clock: number;
  /** Id of the next file. */
  readonly nextFile: number;
  /** Requests of the user, verbatim. */
  readonly requests: readonly LedgerRequest[];
  /** Rules that the user gave, verbatim. */
  readonly constraints: readonly LedgerConstraint[];
  /** Number of older requests and rules that were dropped because the ledger was full. The history still has them. */
  readonly droppedCounts: { readonly requests: number; readonly constraints: number };
  /** Files and the actions on them. */
  readonly files: readonly LedgerFile[];
  /** The newest changes to files. Missing in ledgers of earlier versions. */
  readonly changes?: readonly LedgerChange[];
  /** Shell commands with their last result. */
  readonly commands: readonly LedgerCommand[];
  /** Errors. Those without `resolved` are open. */
  readonly errors: readonly LedgerError[];
  /** Sentences of the assistant about results, findings and decisions. */
  readonly statements: readonly LedgerStatement[];
  /** The next step or question with which the last reply ended. */
  readonly outlook?: LedgerOutlook;
  /** Options of the last reply, from which the user may choose by number. */
  readonly options?: readonly LedgerOption[];
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
  droppedCounts: { requests: 0, constraints: 0 },
  files: [],
  commands: [],
  errors: [],
  statements: [],
  todos: [],
  names: [],
  pending: [],
};

/** Limits on the first and the newest entries of a kind. */
export interface WordLimits {
  readonly count: number;
  /** Number of entries to keep from the start. */
  readonly first: number;
  /** Maximum characters of all entries together. */
  readonly characters: number;
}

/** Keeps the first few and the newest elements of a list: the start and the current state. */
export function keepBounded<T>(list: readonly T[], max: number, first = 0): readonly T[] {
  if (list.length <= max) return list;
  return [...list.slice(0, first), ...list.slice(list.length - (max - first))];
}

/** The same for words of the user, with a limit on their characters too. */
export function keepWords<T extends { readonly text: string }>(list: readonly T[], limits: WordLimits): readonly T[] {
  let characters = list.reduce((sum, { text }) => sum + text.length, 0);
  const first = Math.min(limits.first, list.length);
  let from = first;
  while (list.length - (from - first) > limits.count || (characters > limits.characters && from < list.length)) {
    characters -= list[from]?.text.length ?? 0;
    from += 1;
  }
  return from === first ? list : [...list.slice(0, first), ...list.slice(from)];
}

/** Limits of a ledger for sessions of any length. Texts in characters. */
export const LIMITS = {
  requests: { count: 400, first: 20, characters: 400_000 },
  constraints: { count: 200, characters: 80_000 },
  files: 250,
  changes: 40,
  changedLines: 6,
  changedLine: 140,
  commands: 80,
  errors: 30,
  statements: { count: 400, characters: 60_000 },
  todos: 60,
  names: 2_000,
  pending: 60,
  touches: 40,
  request: 4_000,
  sentence: 320,
  rule: 640,
  refused: 80,
  path: 300,
  command: 320,
  gist: 160,
  says: 200,
  resolved: 1_000,
  todo: 240,
  todoId: 80,
  name: 160,
  callId: 200,
  toolName: 100,
  partId: 240,
} as const;
