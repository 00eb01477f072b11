import { arrayField, isRecord, numberField, omitUndefined, recordField, stringField } from "../internal/json.ts";
import type { DocumentStore } from "../ports/document-store.ts";
import type { ModelCall } from "../ports/model.ts";

/** Numbers of requests to a model by outcome. */
export type CallCounts = Record<ModelCall["outcome"], number>;

/** The last request to a model that failed. */
export interface LastFailure {
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly task: string;
  readonly failure: string;
}

/** Requests to a model in the last seven days, of all processes. */
export interface CallStatistics {
  readonly days: readonly (CallCounts & { readonly day: string })[];
  readonly lastFailure?: LastFailure;
}

const SPACE = "system";
const NAME = "model-calls";
const MAX_DAYS = 7;
const DAY = 24 * 60 * 60 * 1_000;
/** Attempts to write against other processes. */
const MAX_TRIES = 20;

export function noCalls(): CallCounts {
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

  constructor(documents: DocumentStore) {
    this.#documents = documents;
  }

  /** Requests of this process so far. */
  get counts(): CallCounts {
    return sumCalls([this.#saved, this.#unsaved]);
  }

  /** The last failure in this process. */
  get lastFailure(): LastFailure | undefined {
    return this.#lastFailure;
  }

  readonly note = ({ task, outcome, failure }: ModelCall): void => {
    this.#unsaved[outcome] += 1;
    if (outcome === "failed") this.#lastFailure = { at: Date.now(), task, failure: failure ?? "no reason given" };
  };

  /** Stores the requests since the last call of this function. If others write without a pause, they are kept for later. */
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

/** The statistics without days that are too old. */
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
  const last = recordField(document, "lastFailure");
  const at = last && numberField(last, "at");
  if (last === undefined || at === undefined) return { days };
  return {
    days,
    lastFailure: { at, task: stringField(last, "task") ?? "", failure: stringField(last, "failure") ?? "" },
  };
}
