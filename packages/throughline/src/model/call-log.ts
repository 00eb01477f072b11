import { isModelProblem, type ModelProblem } from "../errors/model-errors.ts";
import {
  arrayField,
  isRecord,
  type JsonRecord,
  numberField,
  omitUndefined,
  recordField,
  stringField,
} from "../internal/json.ts";
import { DAY } from "../internal/time.ts";
import type { ModelCall } from "../ports/model.ts";
import type { DocumentStore } from "../ports/store.ts";

/** Numbers of requests to a model by outcome. */
export type CallCounts = Record<ModelCall["outcome"], number>;

/** The last request to a model that failed. It has no text of the endpoint, which may quote the conversation. */
export interface LastFailure {
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly task: string;
  readonly problem: ModelProblem;
  /** HTTP status, if there was one. */
  readonly status?: number;
}

/** Requests to a model in the last seven days, of all processes. */
export interface CallStatistics {
  readonly days: readonly (CallCounts & { readonly day: string })[];
  readonly lastFailure?: LastFailure;
}

const SPACE = "system";
const NAME = "model-calls";
const MAX_DAYS = 7;
/** Attempts to write against other processes. */
const MAX_TRIES = 20;

function noCalls(): CallCounts {
  return { answered: 0, failed: 0, skipped: 0 };
}

export function sumCalls(all: readonly CallCounts[]): CallCounts {
  const sum = noCalls();
  for (const one of all) for (const name of Object.keys(sum) as (keyof CallCounts)[]) sum[name] += one[name];
  return sum;
}

/** Counts requests to a model in this process, and adds them to the stored statistics. */
export class CallLog {
  readonly #documents: DocumentStore;
  #unsaved = noCalls();
  #saved = noCalls();
  #lastFailure: LastFailure | undefined;
  #lastReason: string | undefined;

  constructor(documents: DocumentStore) {
    this.#documents = documents;
  }

  /** Requests of this process so far. */
  get counts(): CallCounts {
    return sumCalls([this.#saved, this.#unsaved]);
  }

  /** Task and reason of the last failure in this process. Never stored. */
  get lastReason(): string | undefined {
    return this.#lastReason;
  }

  readonly note = ({ task, outcome, failure = "no reason given", problem = "failed", status }: ModelCall): void => {
    this.#unsaved[outcome] += 1;
    if (outcome !== "failed") return;
    this.#lastFailure = omitUndefined({ at: Date.now(), task, problem, status });
    this.#lastReason = `${task}: ${failure}`;
  };

  /**
   * Stores the requests since the last call of this function. If others write without a pause, they are kept for later.
   */
  async save(): Promise<void> {
    const added = this.#unsaved;
    if (Object.values(added).every((count) => count === 0)) return;
    this.#unsaved = noCalls();
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const stored = await this.#documents.get(SPACE, NAME);
      const value = add(toStatistics(stored?.value), added, this.#lastFailure);
      if (await this.#documents.put(SPACE, NAME, { revision: stored?.revision ?? 0, value })) {
        this.#saved = sumCalls([this.#saved, added]);
        return;
      }
    }
    this.#unsaved = sumCalls([this.#unsaved, added]);
  }
}

/** The stored statistics; `undefined` if a model was never asked. */
export async function readCallStatistics(documents: Pick<DocumentStore, "get">): Promise<CallStatistics | undefined> {
  const stored = await documents.get(SPACE, NAME);
  return stored && toStatistics(stored.value);
}

function add({ days, lastFailure }: CallStatistics, added: CallCounts, last: LastFailure | undefined): CallStatistics {
  const day = dayOf(Date.now());
  const today = days.find((one) => one.day === day) ?? noCalls();
  const others = days.filter((one) => one.day !== day);
  const isNewer = (last?.at ?? 0) > (lastFailure?.at ?? 0);
  return omitUndefined({
    days: [...others, { day, ...sumCalls([today, added]) }],
    lastFailure: isNewer ? last : lastFailure,
  });
}

function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

/** The statistics without expired entries. */
function toStatistics(value: unknown): CallStatistics {
  const document = isRecord(value) ? value : {};
  const first = dayOf(Date.now() - (MAX_DAYS - 1) * DAY);
  const all = (arrayField(document, "days") ?? []).filter(isRecord).map((one) => ({
    day: stringField(one, "day") ?? "",
    answered: numberField(one, "answered") ?? 0,
    failed: numberField(one, "failed") ?? 0,
    skipped: numberField(one, "skipped") ?? 0,
  }));
  const days = all.filter(({ day }) => day >= first);
  const lastFailure = toFailure(recordField(document, "lastFailure") ?? {});
  return omitUndefined({ days, lastFailure: lastFailure && dayOf(lastFailure.at) >= first ? lastFailure : undefined });
}

/** A stored failure; `undefined` if it has no known kind, such as one of a version that stored the endpoint's text. */
function toFailure(stored: JsonRecord): LastFailure | undefined {
  const at = numberField(stored, "at");
  const problem = stringField(stored, "problem");
  if (at === undefined || !isModelProblem(problem)) return undefined;
  return omitUndefined({ at, task: stringField(stored, "task") ?? "", problem, status: numberField(stored, "status") });
}
