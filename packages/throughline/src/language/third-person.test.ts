import { expect, it } from "vitest";
import { describeUser, describeUserBriefly, toThirdPerson } from "./third-person.ts";

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

it.each([
  ["I live in Oslo", "Lives in Oslo"],
  ["App is written in TypeScript", "App is written in TypeScript"],
  ["Prefers meetings at 9 am in the US", "Prefers meetings at 9 am in the US"],
  ["Works on fast I/O and edits with vi", "Works on fast I/O and edits with vi"],
  ["In the mornings I drink tea", "In the user's words: “In the mornings I drink tea”"],
  ["We use “strict” mode", 'In the user\'s words: “We use "strict" mode”'],
  ["Ich wohne in Oslo", "In the user's words: “Ich wohne in Oslo”"],
  ["J’habite à Oslo", "In the user's words: “J’habite à Oslo”"],
  ["Vivo en Oslo", "In the user's words: “Vivo en Oslo”"],
  ["Mieszkam w Oslo", "In the user's words: “Mieszkam w Oslo”"],
  ["我住在杭州", "In the user's words: “我住在杭州”"],
  ["אני גר בתל אביב", "In the user's words: “אני גר בתל אביב”"],
])("a prompt has no sentence in the first person: %s", (text, line) => {
  expect(describeUserBriefly(text)).toBe(line);
});
