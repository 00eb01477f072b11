import type { HistorySource } from "@throughline/server";
import { findHistories } from "../import/discover/find-histories.ts";
import { HISTORY_AGENTS } from "../import/discover/history-locations.ts";
import { Progress } from "../progress.ts";
import { openInput, readEvents } from "../read-transcript.ts";

/** The histories of all agents on this machine. Only files that were listed are read. */
export function historySource(): HistorySource {
  const listed = new Set<string>();
  return {
    list: async () => {
      const histories = await findHistories(HISTORY_AGENTS, Date.now());
      const files = histories.flatMap(({ agent, files: own }) =>
        own.filter(({ isWhole }) => isWhole).map(({ file, bytes, changedAt }) => ({ agent, file, bytes, changedAt })),
      );
      for (const { file } of files) listed.add(file);
      return files;
    },
    async *read(file) {
      if (!listed.has(file)) throw new TypeError(`Not a history file: ${file}`);
      const { read } = await openInput(file);
      yield* readEvents(file, read(new Progress("", 0)), undefined);
    },
  };
}
