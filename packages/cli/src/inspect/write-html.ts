import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createThroughline, type Message } from "throughline";
import {
  createTokenCounter,
  readSpeech,
  redactSecrets,
  reportSession,
  SessionCollector,
  type SessionReport,
} from "throughline/internal";
import type { TranscriptCompaction, TranscriptEvent, TranscriptSession } from "throughline/transcript";
import { LOGGER } from "../data/open-data.ts";
import { redactMessage } from "../import/redact-message.ts";
import { UsageError } from "../usage-error.ts";

const PAGE = fileURLToPath(new URL("report/report.html", import.meta.url));
/** The place of the data in the page. */
const PLACE = '>"REPORT"<';

interface CollectedMessages {
  readonly messages: Message[];
  readonly compactions: TranscriptCompaction[];
}

/** Collects the sessions of a transcript, without secrets. */
export class ReportedSessions {
  readonly #collector = new SessionCollector<CollectedMessages>({
    open: () => ({ messages: [], compactions: [] }),
    message: ({ messages }, message) => messages.push(redactMessage(message).message),
    compaction: ({ compactions }, compaction) => compactions.push(redactCompaction(compaction)),
    skipped: () => undefined,
  });

  take(event: TranscriptEvent): void {
    this.#collector.take(event);
  }

  /** The session with this id, or else the one with most compactions. */
  find(id: string | undefined): TranscriptSession {
    const sessions = [...this.#collector.sessions].map(([key, { kept, meta }]) => ({ id: key, meta, ...kept }));
    const [most] = sessions.toSorted((a, b) => b.compactions.length - a.compactions.length);
    const found = id === undefined ? most : sessions.find((session) => session.id.startsWith(id));
    if (found !== undefined) return found;
    throw new UsageError(
      id === undefined
        ? "No session to report: the transcript has no messages."
        : `No session ${id} in the transcript.`,
      "`throughline inspect FILE` lists the sessions of a file.",
    );
  }
}

/** Writes the report of a session as one HTML page that makes no requests. */
export async function writeHtml(session: TranscriptSession, modelId: string, file: string): Promise<SessionReport> {
  const throughline = await createThroughline({ logger: LOGGER });
  try {
    const counter = createTokenCounter(modelId, {});
    const report = await reportSession(session, {
      counter,
      readSpeech,
      summarize: async (messages, targetTokens) => {
        const own = throughline.session(`${session.id} ${messages[0]?.id}`, {
          modelId,
          contextLimit: 2 * counter.messages(messages) + targetTokens,
        });
        await own.append(messages);
        const compaction = await own.compact({ targetTokens, keepTokens: 0 });
        return compaction?.summary ?? "";
      },
    });
    const page = await readFile(PAGE, "utf8");
    // No text of the session can end the element that holds it.
    const json = JSON.stringify(report).replaceAll("<", "\\u003c");
    await writeFile(
      file,
      page.replace(PLACE, () => `>${json}<`),
    );
    return report;
  } finally {
    await throughline.close();
  }
}

function redactCompaction(compaction: TranscriptCompaction): TranscriptCompaction {
  const { summary, window } = compaction;
  return {
    ...compaction,
    ...(summary === undefined ? {} : { summary: redactSecrets(summary) }),
    ...(window === undefined ? {} : { window: window.map((message) => redactMessage(message).message) }),
  };
}
