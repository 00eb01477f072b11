import type { Message } from "throughline";
import { mineWorkflows, SessionRecorder, type SessionRuns } from "throughline/internal";
import type { SessionMeta } from "throughline/transcript";
import { projectOf } from "../config/project.ts";
import type { LearnedProject } from "./learn-from-sessions.ts";

/** Memories that an import would learn, one per line. */
export interface ForeseenLearning {
  readonly episodes: readonly string[];
  readonly workflows: readonly string[];
  /** Only episodes and workflows: facts are extracted during the import. */
  readonly projects: readonly LearnedProject[];
}

/** Previews what would be learned from transcripts, file by file, without storing anything. */
export class LearningPreview {
  readonly #open = new Map<string, SessionRecorder>();
  readonly #done: { readonly meta: SessionMeta; readonly runs: SessionRuns; readonly episodes: number }[] = [];
  readonly #episodes: string[] = [];

  add(message: Message, { cwd, title, parentId }: SessionMeta): void {
    if (parentId !== undefined) return;
    const folder = cwd && projectOf(cwd).root;
    const { sessionId } = message;
    const recorder = this.#open.get(sessionId) ?? new SessionRecorder({ sessionId, folder, title });
    this.#open.set(sessionId, recorder);
    recorder.add(message);
  }

  /** Ends a file. Only sessions with new messages count. */
  endFile(isNew: (sessionId: string) => boolean, metaOf: (sessionId: string) => SessionMeta): void {
    for (const [sessionId, recorder] of this.#open) {
      if (!isNew(sessionId)) continue;
      this.#episodes.push(...recorder.episodes);
      this.#done.push({ meta: metaOf(sessionId), runs: recorder.record, episodes: recorder.episodes.length });
    }
    this.#open.clear();
  }

  /** @param projectFor gives the project of a session */
  result(project: string | undefined, projectFor: (meta: SessionMeta) => string | undefined): ForeseenLearning {
    const byProject = Map.groupBy(this.#done, ({ meta }) => project ?? projectFor(meta));
    const found = [...byProject].map(([id, group]) => {
      const workflows = mineWorkflows(group.map(({ runs }) => runs)).hints;
      const episodes = group.reduce((sum, one) => sum + one.episodes, 0);
      return { project: id, sessions: group.length, memories: episodes + workflows.length, workflows };
    });
    return {
      episodes: this.#episodes,
      workflows: found.flatMap(({ workflows }) => workflows),
      projects: found.map(({ workflows: _, ...counts }) => counts),
    };
  }
}
