import { checkOptions, FLAG, FUNCTION, NUMBER, type OptionRules, oneOf, TEXT } from "../../errors/check-options.ts";
import type { Ledger } from "../ledger.ts";
import { NoteWriter, type RenderLedgerOptions } from "./note-writer.ts";
import { currentOutlook } from "./state-lines.ts";

const RENDER_RULES: OptionRules<RenderLedgerOptions> = {
  budget: NUMBER,
  count: FUNCTION,
  focus: TEXT,
  words: NUMBER,
  rules: NUMBER,
  style: /* @__PURE__ */ oneOf("agent", "chat"),
  reader: /* @__PURE__ */ oneOf("model", "person"),
  upTo: NUMBER,
  narrative: FLAG,
  describedUpTo: NUMBER,
  shown: TEXT,
};

/**
 * Renders a ledger as a handover note in Markdown, within a budget. The same ledger gives the same text.
 *
 * @param ledger Ledger of the session.
 * @param options Budget, token counter, focus and style.
 * @returns The text; empty if nothing fits.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * renderLedger(ledger, { budget: 1_000, count: countTokens });
 */
export function renderLedger(ledger: Ledger, options: RenderLedgerOptions): string {
  checkOptions("renderLedger", options, RENDER_RULES);
  const { upTo = ledger.messages, describedUpTo = 0 } = options;
  const shown = upTo < ledger.messages ? ledgerUpTo(ledger, upTo) : ledger;
  // The last question to the user is part of the state section.
  const outlook = currentOutlook(shown);
  const question = outlook?.kind === "question" ? outlook.text : undefined;
  const statements = shown.statements.filter(({ at, text }) => at > describedUpTo && text !== question);
  return new NoteWriter({ ...shown, statements }, options).write();
}

/** The ledger without requests and statements after a position. */
function ledgerUpTo(ledger: Ledger, upTo: number): Ledger {
  const isBefore = ({ at }: { readonly at: number }) => at <= upTo;
  return { ...ledger, requests: ledger.requests.filter(isBefore), statements: ledger.statements.filter(isBefore) };
}
