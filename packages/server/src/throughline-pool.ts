import {
  type Clock,
  createThroughline,
  type Logger,
  type Store,
  type Throughline,
  type ThroughlineOptions,
} from "throughline";
import { spaceOf, type Workspace } from "throughline/internal/engine";
import { Lru, omitUndefined } from "throughline/internal/util";
import type { Caller } from "./server-env.ts";

/** Instances that stay in memory; the least recently used is evicted first. */
const MAX_OPEN = 256;
/** Milliseconds for which the list of a user's projects is kept. */
const PROJECTS_TTL = 5_000;

/** User and project of an instance, and whether it may change shared data. */
export interface UserScope {
  readonly userId: string;
  readonly projectId: string | undefined;
  readonly isAdmin: boolean;
}

/** The scope of a caller. */
export function scopeOf({ userId, projectId, scopes }: Caller): UserScope {
  return { userId, projectId, isAdmin: scopes.has("admin") };
}

export interface PoolOptions {
  /** Options of all instances. */
  readonly shared: ThroughlineOptions & { readonly store: Store; readonly clock: Clock; readonly logger: Logger };
  /** Project folders by project id. */
  readonly workspaces?: ReadonlyMap<string, Workspace> | undefined;
  /** Aborts background work. */
  readonly signal?: AbortSignal;
  /** Called when an instance is created, also again after an eviction. */
  readonly onOpen?: (userScope: UserScope) => void;
}

interface KnownProjects {
  /** Revision of the user's private memories. */
  readonly revision: number;
  readonly at: number;
  readonly ids: readonly string[];
}

/** Options of special instances. */
interface SpecialOptions {
  readonly store?: Store;
  readonly allProjects?: readonly string[];
}

/** One Throughline instance per user and project, all on one store. */
export class ThroughlinePool {
  readonly #options: PoolOptions;
  readonly #open = new Lru<string, Promise<Throughline>>({
    maxSize: MAX_OPEN,
    // Running requests can still use it, because its parts belong to the store.
    onEvict: (evicted) => void evicted.then((throughline) => throughline.close()).catch(() => undefined),
  });
  readonly #projects = new Lru<string, KnownProjects>({ maxSize: MAX_OPEN });
  readonly #learning = new Set<Promise<unknown>>();

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  get(userScope: UserScope): Promise<Throughline> {
    const name = JSON.stringify([userScope.userId, userScope.projectId, userScope.isAdmin]);
    return this.#keep(name, userScope);
  }

  /** An instance on all projects of a user. It is cached while the projects stay the same. */
  async getAllProjects(userScope: UserScope): Promise<Throughline> {
    const scope = { ...userScope, projectId: undefined };
    const allProjects = await this.#projectsOf(scope);
    return this.#keep(JSON.stringify([scope.userId, scope.isAdmin, allProjects]), scope, { allProjects });
  }

  /**
   * Ids of the projects of a user. Counting them reads all memories, so the list is kept until the user's memories
   * change, and for a few seconds at most, because shared memories are in other spaces.
   */
  async #projectsOf(scope: UserScope): Promise<readonly string[]> {
    const { store, clock } = this.#options.shared;
    const { revision } = await store.memories.head(spaceOf("user-private", scope));
    const known = this.#projects.get(scope.userId);
    if (known?.revision === revision && clock.now() - known.at < PROJECTS_TTL) return known.ids;
    const at = clock.now();
    const { projects } = await (await this.get(scope)).memory.projects();
    const ids = projects.map(({ id }) => id).toSorted();
    this.#projects.set(scope.userId, { revision, at, ids });
    return ids;
  }

  #keep(name: string, userScope: UserScope, special?: SpecialOptions): Promise<Throughline> {
    const known = this.#open.get(name);
    if (known !== undefined) return known;
    const throughline = this.#create(userScope, special);
    this.#open.set(name, throughline);
    throughline.catch(() => this.#open.delete(name));
    if (special === undefined) this.#options.onOpen?.(userScope);
    return throughline;
  }

  /**
   * An instance on all projects of a user, for exports and for undoing imports. It is not kept.
   *
   * @param others Ids of further projects. Default: none.
   */
  async openAllProjects(userScope: UserScope, others: readonly string[] = []): Promise<Throughline> {
    const scope = { ...userScope, projectId: undefined };
    const { projects } = await (await this.get(scope)).memory.projects();
    return this.#create(scope, { allProjects: [...new Set([...projects.map(({ id }) => id), ...others])] });
  }

  /** An instance that writes through another store, such as one that notes an import. It is not kept. */
  openOn(store: Store, userScope: UserScope): Promise<Throughline> {
    return this.#create(userScope, { store });
  }

  async close(): Promise<void> {
    const all = this.#open.values();
    this.#open.clear();
    await Promise.all([...this.#learning, ...all.map(async (one) => (await one).close())]);
  }

  async #create({ userId, projectId, isAdmin }: UserScope, special: SpecialOptions = {}): Promise<Throughline> {
    const { shared, workspaces } = this.#options;
    const { store = shared.store, allProjects } = special;
    const workspace = projectId === undefined ? undefined : workspaces?.get(projectId);
    const throughline = await createThroughline({
      ...shared,
      // The store outlives its instances.
      store: { ...store, close: async () => undefined },
      ...omitUndefined({ workspace, projectId, allProjects }),
      userId,
      isSystemReadOnly: !isAdmin,
    });
    if (workspace !== undefined && special.store === undefined) this.#learn(throughline);
    return throughline;
  }

  /** Reads new commits of the project in the background. */
  #learn({ context }: Throughline): void {
    const { signal, shared } = this.#options;
    const learning = context
      .learnHistory(omitUndefined({ signal }))
      .catch((error: unknown) => {
        if (signal?.aborted !== true) shared.logger.warn(`Could not read the history of a project: ${String(error)}`);
      })
      .finally(() => this.#learning.delete(learning));
    this.#learning.add(learning);
  }
}
