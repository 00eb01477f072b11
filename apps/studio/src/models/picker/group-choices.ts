import type { ModelChoice } from "../chat-model.ts";

export interface ChoiceGroups {
  readonly device: readonly ModelChoice[];
  readonly endpoints: readonly ModelChoice[];
  readonly server: readonly ModelChoice[];
  /** Unavailable choices, one for each reason. */
  readonly unavailable: readonly { readonly reason: string; readonly labels: readonly string[] }[];
}

/** Choices as the picker shows them. */
export function groupChoices(choices: readonly ModelChoice[]): ChoiceGroups {
  const usable = choices.filter(({ unavailable }) => unavailable === undefined);
  const isEndpoint = ({ id }: ModelChoice) => id.startsWith("endpoint:");
  const isServer = ({ place }: ModelChoice) => place === "server";
  const reasons = Map.groupBy(
    choices.filter(({ unavailable }) => unavailable !== undefined),
    ({ unavailable = "" }) => unavailable,
  );
  return {
    device: usable.filter((choice) => !isEndpoint(choice) && !isServer(choice)),
    endpoints: usable.filter(isEndpoint),
    server: usable.filter(isServer),
    unavailable: [...reasons].map(([reason, those]) => ({ reason, labels: those.map(({ label }) => label) })),
  };
}
