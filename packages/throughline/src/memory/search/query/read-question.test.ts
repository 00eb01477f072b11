import { describe, expect, it } from "vitest";
import { questionPerson, questionTerms } from "./read-question.ts";

describe("questionTerms", () => {
  it("skips verbs of speech", () => {
    expect(questionTerms({ text: "What did I say about the boat, the boats?" }).map(({ word }) => word)).toHaveLength(
      1,
    );
    expect(questionTerms({ text: "What did I say?" }).map(({ word }) => word)).toEqual(["say"]);
  });
});

describe("questionPerson", () => {
  const speakers = ["Melanie", "Ben Smith"];

  it.each([
    ["When did Melanie paint?", { name: "Melanie" }],
    ["What does ben like?", { name: "Ben Smith" }],
    ["Where did Mel go?", { name: "Melanie" }],
    ["What is my favourite colour?", "user"],
    ["Have I ever been to Rome?", "user"],
  ])("reads of whom is asked: %s", (text, person) => {
    expect(questionPerson(text, speakers)).toEqual(person);
  });

  it.each(["What do Melanie and Ben share?", "What did you recommend to me?", "Which database is in use?"])(
    "finds no single person: %s",
    (text) => {
      expect(questionPerson(text, speakers)).toBeUndefined();
    },
  );
});
