import { CHECKED_LATER, checkOptions } from "throughline/internal/util";
import type { ClientCalls } from "./create-client.ts";

/** The type of an argument with fields; `never` for ids, lists and data of any form. */
type WithFields<T> = unknown extends T
  ? never
  : NonNullable<T> extends string | number | boolean | readonly unknown[]
    ? never
    : NonNullable<T>;

type Fields<T> = { readonly [K in keyof Required<T>]: true };

/** The fields of each argument; `null` for an argument without fields. */
type FieldsOfArguments<A extends readonly unknown[]> = {
  readonly [I in keyof A]: [WithFields<A[I]>] extends [never] ? null : Fields<WithFields<A[I]>>;
};

type ArgumentsWithFields<A extends readonly unknown[]> = { [I in keyof A]: WithFields<A[I]> }[number];

/** The fields of all methods that take an object, so that a new method or field cannot be forgotten. */
type FieldsOf<C> = {
  readonly [K in keyof C as C[K] extends (...args: infer A) => Promise<unknown>
    ? [ArgumentsWithFields<Required<A>>] extends [never]
      ? never
      : K
    : C[K] extends (...args: never) => unknown
      ? never
      : K]: C[K] extends (...args: infer A) => unknown ? FieldsOfArguments<Required<A>> : FieldsOf<C[K]>;
};

const PAGE = { cursor: true, limit: true } as const;
const LIMIT = { limit: true } as const;
const SIGNAL = {
  fileOpened: true,
  branch: true,
  error: true,
  at: true,
  collaborator: true,
  recentFiles: true,
  seen: true,
} as const;
const COMPACT = { focus: true, targetTokens: true, keepTokens: true } as const;
const AUDIT = { kind: true, offset: true, limit: true } as const;

/** Names of the fields that methods accept. Values are checked by the server. */
const FIELDS: FieldsOf<ClientCalls> = {
  context: {
    assemble: [{ budget: true, signals: true, message: true, shares: true }],
    predict: [{ ...SIGNAL, limit: true }],
    signal: [{ ...SIGNAL, sessionId: true }],
  },
  memories: {
    remember: [
      {
        text: true,
        kind: true,
        category: true,
        key: true,
        value: true,
        subject: true,
        aliases: true,
        scope: true,
        pinned: true,
        validFrom: true,
        source: true,
        replaces: true,
        byHand: true,
        artifacts: true,
        title: true,
        steps: true,
        template: true,
        keepSecrets: true,
      },
    ],
    list: [{ ...PAGE, all: true, kind: true, category: true, scope: true }],
    search: [{ query: true, limit: true, cut: true, from: true, kinds: true, scope: true, asOf: true, budget: true }],
    ingest: [{ sessionId: true, messages: true, keepSecrets: true }],
    browse: [
      {
        query: true,
        kind: true,
        category: true,
        scope: true,
        projectId: true,
        person: true,
        status: true,
        review: true,
        since: true,
        before: true,
        order: true,
        offset: true,
        limit: true,
      },
    ],
    history: [null, { asOf: true }],
    audit: [{ ...AUDIT, wait: true }],
    auditStore: [{ ...AUDIT, data: true }],
    update: [
      null,
      {
        text: true,
        category: true,
        key: true,
        value: true,
        subject: true,
        aliases: true,
        confidence: true,
        pinned: true,
        scope: true,
        validFrom: true,
        validTo: true,
        archived: true,
        reviewed: true,
        artifacts: true,
        links: true,
        keepSecrets: true,
      },
    ],
    cite: [null, { query: true }],
    export: [{ allProjects: true }],
    import: [null, { dryRun: true }],
  },
  sessions: {
    create: [{ id: true, modelId: true, contextLimit: true, outputReserve: true, profile: true, remember: true }],
    list: [PAGE],
    history: [null, PAGE],
    window: [null, PAGE],
    edit: [null, { kind: true, handles: true, dryRun: true }],
    prepare: [
      null,
      {
        system: true,
        budget: true,
        maxBytes: true,
        toolTokens: true,
        memory: true,
        message: true,
        waitForModel: true,
      },
      { receipt: true },
    ],
    compact: [null, COMPACT],
    preview: [null, { ...COMPACT, budget: true, profile: true, modelId: true }],
    observe: [
      null,
      {
        inputTokens: true,
        cacheReadTokens: true,
        cacheWriteTokens: true,
        contextLimit: true,
        outputTokens: true,
        wasRefused: true,
      },
    ],
    receipts: [null, LIMIT],
  },
  consolidate: [{ dryRun: true }],
  contradictions: { list: [{ ...PAGE, status: true }], resolve: [null, { resolution: true, note: true, text: true }] },
  journal: { list: [LIMIT] },
  imports: { list: [LIMIT], undo: [null, { dryRun: true }] },
  jobs: [{ ...PAGE, state: true }],
};

type Method = (...args: readonly unknown[]) => Promise<unknown>;
type Tree = Readonly<Record<string, unknown>>;

/** Makes the methods of a client reject with InvalidOptionError for unknown fields, without a request. */
export function checkFields(calls: ClientCalls): void {
  checkGroup("client", calls as unknown as Record<string, unknown>, FIELDS as unknown as Tree);
}

function checkGroup(place: string, calls: Record<string, unknown>, fields: Tree): void {
  for (const [name, own] of Object.entries(fields)) {
    const path = `${place}.${name}`;
    if (Array.isArray(own)) calls[name] = checkedMethod(path, calls[name] as Method, own);
    else checkGroup(path, calls[name] as Record<string, unknown>, own as Tree);
  }
}

function checkedMethod(place: string, method: Method, fields: readonly (Tree | null)[]): Method {
  const rules = fields.map(
    (names) => names && Object.fromEntries(Object.keys(names).map((name) => [name, CHECKED_LATER])),
  );
  return async (...args) => {
    for (const [index, rule] of rules.entries()) {
      if (rule !== null) checkOptions<object>(place, args[index] as object | undefined, rule);
    }
    return method(...args);
  };
}
