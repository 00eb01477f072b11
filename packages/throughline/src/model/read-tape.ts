import { TapeError } from "../errors/tape-error.ts";
import { arrayField, isRecord, type JsonRecord, recordField, stringField } from "../internal/json.ts";
import type { CallKind, Tape, TapedCall, TapedModel } from "./tape.ts";
import { hashOf, openMessages } from "./tape-request.ts";

/** A recorded call with its full request. */
export interface OpenCall extends Omit<TapedCall, "request"> {
  readonly request: JsonRecord;
}

export interface OpenTape {
  readonly model: TapedModel;
  readonly calls: readonly OpenCall[];
}

const KINDS: readonly string[] = ["generate", "stream", "text"] satisfies CallKind[];

/** @throws TapeError if it is not a tape, or if its requests were changed. */
export function readTape(json: unknown): OpenTape {
  if (!isRecord(json) || json.format !== "throughline-tape") throw broken("Not a tape.");
  if (json.version !== 1) throw broken(`Unsupported tape version ${String(json.version)}: expected 1.`);
  const messages = arrayField(json, "messages");
  const calls = arrayField(json, "calls");
  if (messages === undefined || calls === undefined) throw broken("Invalid tape: `messages` or `calls` is missing.");
  const model = recordField(json, "model");
  if (model === undefined) throw broken("The tape is empty.");
  if (stringField(model, "specification") === undefined || stringField(model, "modelId") === undefined) {
    throw broken("Invalid tape: the model is missing.");
  }
  const tape = json as unknown as Tape;
  return { model: model as unknown as TapedModel, calls: calls.map((call, at) => readCall(tape, call, at + 1)) };
}

function readCall(tape: Tape, json: unknown, number: number): OpenCall {
  if (!isRecord(json) || !KINDS.includes(String(json.call)) || !isRecord(json.request)) {
    throw broken(`Invalid tape: cannot read call ${number}.`);
  }
  const call = json as unknown as TapedCall;
  if (call.call === "stream" && !Array.isArray(call.parts) && call.error === undefined) {
    throw broken(`Invalid tape: call ${number} is a stream without parts.`);
  }
  const request = openMessages(tape, call);
  if (hashOf(call.call, request) !== call.hash) {
    throw broken(`Invalid tape: the request of call ${number} was changed after recording.`);
  }
  return { ...call, request };
}

function broken(problem: string): TapeError {
  return new TapeError("not-a-tape", problem);
}
