import type { Memory } from "../../ports/memory.ts";
import { factVectors, sourceTurns } from "../consolidate/consolidate-spaces.ts";
import type { FactVector } from "../consolidate/merge-duplicates.ts";
import { listContradictions } from "../list-memories.ts";
import type { MemoryContext } from "../memory-context.ts";
import { isVisible, readMemories, visibleSpaces } from "../space/spaces.ts";
import { AUDIT_KINDS, type Audit, type AuditFinding, type AuditKind, auditMemories } from "./audit-memories.ts";
import type { MemoryTable } from "./memory-table.ts";

/** Share of the progress bar for reading. */
const READING = 0.3;

/** An audit that may still be running. */
export interface AuditState extends Audit {
  /** Share of the work that is done, from 0 to 1. */
  readonly progress: number;
}

interface Run {
  readonly revision: string;
  readonly audit: Promise<Audit>;
  /** Set if the run is complete. */
  result?: Audit;
  progress: number;
  kinds: readonly AuditKind[];
  findings: readonly AuditFinding[];
}

/** The audit of the stored memories. One run at a time; the result is kept until a memory changes. */
export class StoredAudit {
  readonly #context: MemoryContext;
  readonly #table: MemoryTable;
  #run: Run | undefined;
  #last: Audit = { checked: 0, findings: [] };
  #problem: unknown;

  constructor(context: MemoryContext, table: MemoryTable) {
    this.#context = context;
    this.#table = table;
  }

  /** Waits until the audit is complete. */
  async complete(): Promise<Audit> {
    for (;;) {
      const { revision } = await this.#table.open();
      const run = this.#runFor(revision);
      const audit = await run.audit;
      if (run.revision === revision) return audit;
    }
  }

  /**
   * Starts the audit if needed, and returns the findings so far. Kinds that are not complete have the findings of the
   * last audit, without those of memories that are no longer current.
   */
  async state(): Promise<AuditState> {
    const { revision, get } = await this.#table.open();
    if (this.#problem !== undefined) {
      const problem = this.#problem;
      this.#problem = undefined;
      throw problem;
    }
    const { result, progress, kinds, findings } = this.#runFor(revision);
    if (result !== undefined) return { ...result, progress: 1 };
    const isCurrent = (id: string) => get(id)?.status === "current";
    const known = this.#last.findings.filter(({ kind, ids }) => !kinds.includes(kind) && ids.every(isCurrent));
    const byKind = Map.groupBy([...findings, ...known], ({ kind }) => kind);
    return {
      checked: this.#last.checked,
      findings: AUDIT_KINDS.flatMap((kind) => byKind.get(kind) ?? []),
      progress,
    };
  }

  #runFor(revision: string): Run {
    const known = this.#run;
    if (known !== undefined && (known.result === undefined || known.revision === revision)) return known;
    const { promise: audit, resolve, reject } = Promise.withResolvers<Audit>();
    const run: Run = { revision, audit, progress: 0, kinds: [], findings: [] };
    this.#run = run;
    this.#audit(run).then(resolve, reject);
    audit.then(
      (result) => {
        run.result = result;
        this.#last = result;
      },
      (error: unknown) => {
        this.#run = undefined;
        this.#problem = error;
      },
    );
    return run;
  }

  async #audit(run: Run): Promise<Audit> {
    const context = this.#context;
    const contradictions = await listContradictions(context);
    const memories: Memory[] = [];
    const vectors = new Map<string, FactVector>();
    const inserted = new Set<string>();
    for (const space of visibleSpaces(context)) {
      const stored = await this.#read(space, run);
      memories.push(...stored);
      for (const [id, vector] of await factVectors(context, space, stored)) vectors.set(id, vector);
      for (const [key, turn] of await sourceTurns(context, space, stored)) if (turn.synthetic) inserted.add(key);
    }
    return auditMemories(memories, {
      now: context.clock.now(),
      contradictions,
      vectors,
      isFromInsertedText: ({ source }) => inserted.has(`${source.sessionId}\n${source.messageId}`),
      onProgress: ({ done, kinds, findings }) =>
        void Object.assign(run, { progress: READING + (1 - READING) * done, kinds, findings }),
    });
  }

  /** The current memories of a space. */
  async #read(space: string, run: Run): Promise<readonly Memory[]> {
    const { rows } = await this.#table.open();
    const memories: Memory[] = [];
    for await (const page of readMemories(this.#context.memoryStore, space, { current: true })) {
      for (const memory of page) if (isVisible(memory, this.#context)) memories.push(memory);
      run.progress = Math.max(run.progress, Math.min(READING, (READING * memories.length) / rows.length));
    }
    return memories;
  }
}
