import type { HistorySource } from "@throughline/server";
import type { SessionMeta, TranscriptEvent } from "throughline/transcript";
import { type Environment, environment } from "../config/environment.ts";
import { type ExcludedFolders, excludedFolders } from "../config/excluded-folders.ts";
import { findHistories } from "../import/discover/find-histories.ts";
import { HISTORY_AGENTS } from "../import/discover/history-locations.ts";
import { sessionFolder } from "../import/session-project.ts";
import { Progress } from "../progress.ts";
import { openInput, readEvents } from "../read-transcript.ts";

/** The histories of all agents on this machine. Only files that were listed are read, without excluded folders. */
export function historySource(system: Environment = environment()): HistorySource {
  const listed = new Set<string>();
  return {
    list: async () => {
      const histories = await findHistories(HISTORY_AGENTS, Date.now(), system);
      const files = histories.flatMap(({ agent, files: own }) =>
        own.filter(({ isWhole }) => isWhole).map(({ file, bytes, changedAt }) => ({ agent, file, bytes, changedAt })),
      );
      for (const { file } of files) listed.add(file);
      return files;
    },
    async *read(file) {
      if (!listed.has(file)) throw new TypeError(`Not a history file: ${file}`);
      const { read } = await openInput(file);
      yield* withoutExcluded(readEvents(file, read(new Progress("", 0)), undefined), excludedFolders(system));
    },
  };
}

/** Leaves out sessions of excluded folders, and messages that were recorded in one. */
async function* withoutExcluded(
  events: AsyncIterable<TranscriptEvent>,
  isExcluded: ExcludedFolders,
): AsyncGenerator<TranscriptEvent> {
  const metas = new Map<string, SessionMeta>();
  const isIn = (sessionId: string) => {
    const folder = sessionFolder(metas.get(sessionId) ?? {}, metas);
    return folder !== undefined && isExcluded(folder);
  };
  for await (const event of events) {
    if (event.type === "session") metas.set(event.id, event.meta);
    if (event.type === "meta") metas.set(event.sessionId, { ...event.meta, ...metas.get(event.sessionId) });
    if ("sessionId" in event && isIn(event.sessionId)) continue;
    if (event.type === "message" && event.folders?.some(isExcluded)) continue;
    yield event;
  }
}
