import { expect, it } from "vitest";
import { describeUser, toThirdPerson } from "./third-person.ts";

it.each([
  ["I live in Oslo.", "User lives in Oslo"],
  ["I'm a nurse", "User is a nurse"],
  ["im celiac", "User is celiac"],
  ["I don't eat meat", "User does not eat meat"],
  ["I really love my dog", "User really loves their dog"],
  ["I moved to the US", "User moved to the US"],
  ["My dog is called Bo", "User's dog is called Bo"],
  ["The user's dog is called Bo", "User's dog is called Bo"],
  ["We use pnpm", "We use pnpm"],
])("a sentence in the first person becomes one about the user: %s", (sentence, told) => {
  expect(toThirdPerson(sentence)).toBe(told);
});

it.each([
  ["I prefer direct answers.", "Prefers direct answers"],
  ["I'd rather use tabs", "Would rather use tabs"],
  ["My dog is called Bo", "User's dog is called Bo"],
  ["User lives in Oslo", "User lives in Oslo"],
  ["我住在杭州", "我住在杭州"],
])("a line about the user has no subject if the user is the subject: %s", (sentence, line) => {
  expect(describeUser(sentence)).toBe(line);
});
