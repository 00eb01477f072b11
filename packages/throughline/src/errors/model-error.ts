import { ThroughlineError } from "./throughline-error.ts";

/** What keeps a model from answering. Stable: callers may switch on it. */
export type ModelProblem =
  | "failed"
  | "key-refused"
  | "overloaded"
  | "redirected"
  | "refused"
  | "stopped"
  | "timed-out"
  | "too-large"
  | "unreachable"
  | "unusable"
  | "wrong-answer";

const HINTS: Readonly<Record<ModelProblem, string>> = {
  failed: "Read what the model's provider says, and check the model that was given.",
  "key-refused": "Check the key, and that it may use this model.",
  overloaded: "Try again later, or ask less often.",
  redirected: "Give the address that it points to as `baseUrl`.",
  refused: "Change what the server complains about: the name of the model, perhaps, or the length of the prompt.",
  stopped: "Ask again if the answer is still wanted: the caller stopped it.",
  "timed-out": "Give it more time: the option `timeLimit`, in milliseconds.",
  "too-large": "Check that it is the address of a model; an answer of this size is none.",
  unreachable: "Check that the server runs, and its address.",
  unusable: "Use another model, or none: rules do the work then.",
  "wrong-answer": "Check that the address speaks as OpenAI's chat completions do; it usually ends in /v1.",
};

/** A model gave no usable answer. No message of it holds a key. */
export class ModelError extends ThroughlineError {
  readonly problem: ModelProblem;
  /** The status of the server's answer, where there was one. */
  readonly status?: number;

  constructor(problem: ModelProblem, message: string, status?: number) {
    super("model", message, HINTS[problem]);
    this.problem = problem;
    if (status !== undefined) this.status = status;
  }
}
