import { describe, expect, it } from "vitest";
import { chatCopy } from "./chat.ts";
import { frameCopy } from "./frame.ts";
import { inspectorCopy } from "./inspector.ts";
import { memoriesCopy } from "./memories.ts";
import { modelCopy, modelErrors } from "./models.ts";
import { panelCopy } from "./panel.ts";
import { requestCopy } from "./requests.ts";
import { sessionsCopy } from "./sessions.ts";
import { settingsCopy } from "./settings.ts";

/** Internal terms and unusual forms that must not occur in the UI. */
const JARGON = /\b(?:windows?|compact(?:ion|ed)?|rounds?|records?|handles?|condensed?|injected|pruned|utterances?)\b/i;
const STIFF =
  /\b(?:did|do|does|is|are|was|were|has|have|could|would|should) not\b|\bcannot\b|\bcan not\b|\b(?:you are|it is|there is)\b/i;

/** Every text; functions get a number, or a name. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "function") return [String((value as (...args: number[]) => unknown)(2, 3, 4))];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

describe("the texts of the chat", () => {
  const texts = [chatCopy, frameCopy, modelErrors, modelCopy, panelCopy, settingsCopy].flatMap(textsOf);

  it("have no words of the engine", () => {
    expect(texts.length).toBeGreaterThan(300);
    expect(texts.filter((text) => JARGON.test(text))).toEqual([]);
  });

  it("use contractions, as do those of the other places", () => {
    const others = [inspectorCopy, memoriesCopy, requestCopy, sessionsCopy].flatMap(textsOf);
    expect([...texts, ...others].filter((text) => STIFF.test(text))).toEqual([]);
  });
});
