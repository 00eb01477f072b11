import { TapeError } from "../errors/tape-error.ts";
import { arrayField, isRecord, type JsonRecord, recordField, stringField } from "../internal/json.ts";
import type { CallKind, Tape, TapedCall, TapedModel } from "./tape.ts";
import { hashOf, openMessages } from "./tape-request.ts";

/** A call with all that was asked. */
export interface OpenCall extends Omit<TapedCall, "request"> {
  readonly request: JsonRecord;
}

export interface OpenTape {
  readonly model: TapedModel;
  readonly calls: readonly OpenCall[];
}

const KINDS: readonly string[] = ["generate", "stream", "text"] satisfies CallKind[];

/** @throws TapeError where it is no tape, or one whose requests were changed since. */
export function readTape(json: unknown): OpenTape {
  if (!isRecord(json) || json.format !== "throughline-tape") throw broken("It is not a tape.");
  if (json.version !== 1) throw broken(`The tape is of version ${String(json.version)}, and not of version 1.`);
  const messages = arrayField(json, "messages");
  const calls = arrayField(json, "calls");
  if (messages === undefined || calls === undefined) throw broken("The tape has no messages, or no calls.");
  const model = recordField(json, "model");
  if (model === undefined) throw broken("The tape is empty: nothing was recorded on it.");
  if (stringField(model, "specification") === undefined || stringField(model, "modelId") === undefined) {
    throw broken("The tape does not say which model it is of.");
  }
  const tape = json as unknown as Tape;
  return { model: model as unknown as TapedModel, calls: calls.map((call, at) => readCall(tape, call, at + 1)) };
}

function readCall(tape: Tape, json: unknown, number: number): OpenCall {
  if (!isRecord(json) || !KINDS.includes(String(json.call)) || !isRecord(json.request)) {
    throw broken(`Call ${number} of the tape cannot be read.`);
  }
  const call = json as unknown as TapedCall;
  if (call.call === "stream" && !Array.isArray(call.parts) && call.error === undefined) {
    throw broken(`Call ${number} of the tape is a stream without parts.`);
  }
  const request = openMessages(tape, call);
  if (hashOf(call.call, request) !== call.hash) {
    throw broken(`The request of call ${number} of the tape is not the one that was recorded.`);
  }
  return { ...call, request };
}

function broken(problem: string): TapeError {
  return new TapeError("not-a-tape", problem);
}
