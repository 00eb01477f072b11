/**
 * Readers for the transcripts of coding agents.
 *
 * @module
 * @example
 * const { sessions } = parseTranscript(await readFile("session.jsonl", "utf8"));
 */
export { parseTranscript, parseTranscriptStream } from "../transcript/parse-transcript.ts";
export {
  type ParsedTranscript,
  type SessionMeta,
  type Skipped,
  TRANSCRIPT_FORMATS,
  type TranscriptCompaction,
  type TranscriptEvent,
  type TranscriptFormat,
  type TranscriptSession,
} from "../transcript/transcript.ts";
