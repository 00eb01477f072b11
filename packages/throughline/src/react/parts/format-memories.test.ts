import { describe, expect, it } from "vitest";
import { SecretRefusedError } from "../../errors/memory-errors.ts";
import { explainProblem, showFact } from "./format-memories.ts";

describe("explainProblem", () => {
  it.each([
    ["password", "This looks like a password, so it wasn't saved."],
    ["card-number", "This looks like a card number, so it wasn't saved."],
    ["other", "This looks like a secret, so it wasn't saved."],
  ])("names the kind of a refused secret and no option of the API: %s", (kind, words) => {
    expect(explainProblem(new SecretRefusedError(kind))).toBe(words);
  });

  it("is the message of any other error", () => {
    expect(explainProblem(new Error("Disk full."))).toBe("Disk full.");
  });
});

describe("showFact", () => {
  it.each([
    ["User lives in Oslo", "Lives in Oslo"],
    ["The user does not like emoji", "Dislikes emoji"],
    ["User's name is Mara", "Name is Mara"],
    ["Project's deadline is 14 March", "Deadline is 14 March"],
    ["User stories are written in Gherkin", "User stories are written in Gherkin"],
    ["User interface is blue", "User interface is blue"],
    ["I live in Oslo", "Lives in Oslo"],
    ["I don't like emoji", "Dislikes emoji"],
    ["I'm building an app called Terrace", "Building an app called Terrace"],
    ["User is a landscape gardener", "Landscape gardener"],
    ["My name is Mara", "Name is Mara"],
    ["We use PostgreSQL for the plants", "Uses PostgreSQL for the plants"],
    ["Our deadline is 14 March", "Deadline is 14 March"],
    ["The app is written in TypeScript", "The app is written in TypeScript"],
    ["Is vegetarian", "Is vegetarian"],
    ["Ich wohne in Oslo", "Ich wohne in Oslo"],
    ["אני גר בתל אביב", "אני גר בתל אביב"],
  ])("says “%s” to the person as “%s”", (text, shown) => {
    expect(showFact(text)).toBe(shown);
  });
});
