import { describe, expect, it } from "vitest";
import { SecretRefusedError } from "../../errors/secret-refused-error.ts";
import { explainProblem } from "./words.ts";

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
