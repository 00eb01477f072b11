import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createThroughline } from "throughline";
import {
  createTokenCounter,
  readSpeech,
  reportHtml,
  reportSession,
  type SessionReport,
  summarizeMessages,
} from "throughline/internal";
import type { TranscriptSession } from "throughline/transcript";
import { LOGGER } from "../data/open-data.ts";
import { UsageError } from "../usage-error.ts";

/** The built report page. */
export const REPORT_PAGE = fileURLToPath(new URL("report/report.html", import.meta.url));

/** The session with this id, or else the one with most compactions. */
export function selectSession(sessions: readonly TranscriptSession[], id: string | undefined): TranscriptSession {
  const [most] = sessions.toSorted((a, b) => b.compactions.length - a.compactions.length);
  const found = id === undefined ? most : sessions.find((session) => session.id.startsWith(id));
  if (found !== undefined) return found;
  throw new UsageError(
    id === undefined ? "No session to report: the transcript has no messages." : `No session ${id} in the transcript.`,
    "`throughline inspect FILE` lists the sessions of a file.",
  );
}

/** Writes the report of a session as one HTML page that makes no requests. */
export async function writeHtml(session: TranscriptSession, modelId: string, file: string): Promise<SessionReport> {
  const throughline = await createThroughline({ logger: LOGGER });
  try {
    const counter = createTokenCounter(modelId, {});
    const report = await reportSession(session, {
      counter,
      readSpeech,
      summarize: (messages, targetTokens) =>
        summarizeMessages(messages, { throughline, counter, modelId, targetTokens }),
    });
    await writeFile(file, reportHtml(await readFile(REPORT_PAGE, "utf8"), report));
    return report;
  } finally {
    await throughline.close();
  }
}
