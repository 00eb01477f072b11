import { afterAll, beforeEach, type MockInstance, vi } from "vitest";
import type { Chat, ShownMessage } from "../chat/chat-state.ts";
import { type PartialAnswers, storedPartials } from "../chat/partial-answers.ts";
import { memoryStorage } from "../models/test/memory-storage.ts";
import { managerWith } from "../test/scripted-model.fixture.ts";
import { createMemoryChoice } from "./device-settings.ts";
import { type Persistence, tabPersistence } from "./open-persistence.ts";
import { createStudio } from "./open-studio.ts";
import type { Studio } from "./studio.ts";

/** Moves on with each look, so that nothing happens at the same time. */
class TickingClock {
  time = 1_700_000_000_000;
  now(): number {
    this.time += 1;
    return this.time;
  }
}

/** A device with its storage, which outlives a tab. */
class Device {
  readonly clock = new TickingClock();
  readonly persistence: Persistence = tabPersistence(this.clock, "");
  readonly storage = memoryStorage();
  readonly locks = new Set<string>();
  readonly models = managerWith();

  /** Closing a tab releases its locks. `Tab` identifies their holder. */
  partials(): PartialAnswers {
    const request = async (name: string, options: unknown, work?: (lock: unknown) => unknown) => {
      const run = (work ?? options) as (lock: unknown) => unknown;
      if (this.locks.has(name)) return run(null);
      this.locks.add(name);
      try {
        return await run({ name });
      } finally {
        this.locks.delete(name);
      }
    };
    return storedPartials({ storage: this.storage, locks: { request } as unknown as LockManager });
  }

  async open(): Promise<Studio> {
    const { persistence, models, clock } = this;
    return createStudio({
      persistence,
      models,
      clock,
      partials: this.partials(),
      memoryChoice: createMemoryChoice(this.storage),
    });
  }
}

/** A tab of the Studio on a new device for each test. */
export class StudioTab {
  device = new Device();
  #studio: Studio | undefined;
  readonly logged: MockInstance<typeof console.debug> = vi.spyOn(console, "debug").mockImplementation(() => undefined);

  get studio(): Studio {
    if (this.#studio === undefined) throw new TypeError("The Studio is not open.");
    return this.#studio;
  }

  /** Opens the Studio again: the next tab of the same device. */
  async reopen(): Promise<void> {
    this.#studio = await this.device.open();
  }

  async start(): Promise<void> {
    this.logged.mockClear();
    // A page has no files: the word vectors are absent, and no call waits for them.
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("offline")));
    sessionStorage.clear();
    window.matchMedia = () => ({ matches: true }) as MediaQueryList;
    this.device = new Device();
    await this.reopen();
  }

  readonly chat = (): Chat => this.studio.getSnapshot().chat;
  readonly messages = (): readonly ShownMessage[] => this.chat().getSnapshot().messages;
  readonly facts = (): readonly string[] => this.studio.book.getSnapshot().facts.map(({ fact }) => fact);
  readonly titles = (): readonly string[] => this.studio.getSnapshot().conversations.map(({ title }) => title);
  readonly openId = (): string => this.chat().getSnapshot().conversationId;
}

/** Opens a tab before each test of a file. */
export function openStudioTab(): StudioTab {
  const tab = new StudioTab();
  beforeEach(() => tab.start());
  afterAll(() => {
    vi.unstubAllGlobals();
    tab.logged.mockRestore();
  });
  return tab;
}
