import { readTerms } from "../../language/terms.ts";
import { Form, type Told } from "./tell-forms.ts";

/** Line of an episode with its failures and fixes. */
const FAILED = /(?<!\n[^\S\n]*\n)^\s*Failed: (.+)$/m;
const BETWEEN = "; ";

/**
 * Adds the failure that is most similar to the current errors to an episode's summary. With an error at hand, its fix
 * matters more than the rest of the episode.
 */
export function withFailure(told: Told, errors: readonly string[]): Told {
  const whole = told.forms.find(({ level }) => level === "full");
  const failures = FAILED.exec(whole?.text ?? "")?.[1]?.split(BETWEEN) ?? [];
  const alike = mostAlike(failures, errors);
  if (alike === undefined) return told;
  const extend = (form: Form): Form =>
    form.level === "summary" && !form.text.includes(alike)
      ? new Form("summary", () => `${form.text} Failed: ${alike}`)
      : form;
  return { ...told, forms: told.forms.map(extend) };
}

function mostAlike(failures: readonly string[], errors: readonly string[]): string | undefined {
  const words = new Set(errors.flatMap((error) => readTerms(error).map(({ hash }) => hash)));
  const shared = (failure: string): number =>
    new Set(readTerms(failure).flatMap(({ hash }) => (words.has(hash) ? [hash] : []))).size;
  let best: string | undefined;
  for (const failure of failures) if (shared(failure) > (best === undefined ? 0 : shared(best))) best = failure;
  return best;
}
