/**
 * Test helpers: conformance checks of stores, and tapes that record and replay models.
 *
 * @module
 * @example
 * for (const { name, run } of storeChecks(async () => myStore())) it(name, run);
 */
export { TapeError, type TapeProblem } from "../errors/model-errors.ts";
export { type RecordableModel, recordingModel, recordingTextModel } from "../model/recording-model.ts";
export { type ReplayingModel, replayingModel, replayingTextModel } from "../model/replaying-model.ts";
export { createTape, type Tape, type TapedCall, type TapedModel, type TapeOptions } from "../model/tape.ts";
export type { StoreCheck } from "./conformance.ts";
export { storeChecks } from "./store-checks.ts";
