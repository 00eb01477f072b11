import {
  type AnyModel,
  type Clock,
  createThroughline,
  type Embedder,
  type Logger,
  type Store,
  type Throughline,
} from "throughline";
import { Lru, omitUndefined, type Workspace } from "throughline/internal";

/** Callers whose sessions and search indexes stay in memory; the one that was not heard of longest goes first. */
const MAX_OPEN = 256;

/** Whose data, seen from which project, and whether what everybody has may be changed too. */
export interface Tenant {
  readonly userId: string;
  readonly projectId: string | undefined;
  readonly isAdmin: boolean;
}

export interface TenantOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly model?: AnyModel | undefined;
  readonly embedder?: Embedder | undefined;
  /** What is on disk of projects, by their ids. */
  readonly workspaces?: ReadonlyMap<string, Workspace> | undefined;
  /** Ends what nobody waits for. */
  readonly signal?: AbortSignal;
  /** Told of a tenant when it is first heard of, and again where it was let go meanwhile. */
  readonly onOpen?: (tenant: Tenant) => void;
}

/** One Throughline for everybody who asks, all on one store. */
export class Tenants {
  readonly #options: TenantOptions;
  readonly #open = new Lru<string, Promise<Throughline>>({
    maxSize: MAX_OPEN,
    // Requests that still use it go on: what it is made of belongs to the store.
    onEvict: (evicted) => void evicted.then((throughline) => throughline.close()).catch(() => undefined),
  });
  readonly #learning = new Set<Promise<unknown>>();

  constructor(options: TenantOptions) {
    this.#options = options;
  }

  get(tenant: Tenant): Promise<Throughline> {
    const name = JSON.stringify([tenant.userId, tenant.projectId, tenant.isAdmin]);
    const known = this.#open.get(name);
    if (known !== undefined) return known;
    const throughline = this.#create(tenant);
    this.#open.set(name, throughline);
    throughline.catch(() => this.#open.delete(name));
    this.#options.onOpen?.(tenant);
    return throughline;
  }

  async close(): Promise<void> {
    const all = this.#open.values();
    this.#open.clear();
    await Promise.all([...this.#learning, ...all.map(async (one) => (await one).close())]);
  }

  async #create({ userId, projectId, isAdmin }: Tenant): Promise<Throughline> {
    const { store, clock, logger, model, embedder, workspaces } = this.#options;
    const shared = { ...store, close: async () => undefined };
    const workspace = projectId === undefined ? undefined : workspaces?.get(projectId);
    const throughline = await createThroughline(
      omitUndefined({
        store: shared,
        clock,
        logger,
        model,
        embedder,
        workspace,
        userId,
        projectId,
        isSystemReadOnly: !isAdmin,
      }),
    );
    if (workspace !== undefined) this.#learn(throughline);
    return throughline;
  }

  /** Reads what is new in the project's history. Nobody waits for it. */
  #learn({ context }: Throughline): void {
    const { signal, logger } = this.#options;
    const learning = context
      .learnHistory(omitUndefined({ signal }))
      .catch((error: unknown) => {
        if (signal?.aborted !== true) logger.warn(`A project's history could not be read: ${String(error)}`);
      })
      .finally(() => this.#learning.delete(learning));
    this.#learning.add(learning);
  }
}
