import { describe, expect, it } from "vitest";
import { memoryFactOf } from "../memory-fact.arbitrary.ts";
import { findForgotten, readMemoryRequest } from "./memory-request.ts";

describe("readMemoryRequest", () => {
  it.each([
    ["Forget that I live in Oslo.", "I live in Oslo."],
    ["please forget about my dog", "my dog"],
    ["Can you forget what I said about Postgres?", "Postgres?"],
    ["Vergiss, dass ich in Oslo wohne", "ich in Oslo wohne"],
    ["请忘记我住在杭州", "我住在杭州"],
  ])("reads “%s” as a request to forget", (text, about) => {
    expect(readMemoryRequest(text)).toEqual({ kind: "forget", about });
  });

  it.each([
    "What do you know about me?",
    "so, what have you learned about me",
    "Was weißt du über mich?",
    "你知道我什么？",
  ])("reads “%s” as a request to list memories", (text) => {
    expect(readMemoryRequest(text)).toEqual({ kind: "list" });
  });

  it.each([
    "Don't forget that the deadline is Friday",
    "I always forget my keys",
    "What do you know about metal?",
    `forget that ${"word ".repeat(80)}`,
  ])("leaves “%s” alone", (text) => {
    expect(readMemoryRequest(text)).toBeUndefined();
  });
});

describe("findForgotten", () => {
  const home = memoryFactOf("Lives in Oslo");
  const dog = memoryFactOf("User's dog is called Bo");
  const work = memoryFactOf("Moving the shop in Oslo to Postgres");

  it("finds the fact that has the most of the words", () => {
    expect(findForgotten([dog, home, work], "I live in Oslo")).toEqual([home]);
    expect(findForgotten([dog, home, work], "my dog")).toEqual([dog]);
  });

  it("finds nothing if nothing fits, or too much does", () => {
    expect(findForgotten([dog, home], "my plans for the summer")).toEqual([]);
    const many = Array.from({ length: 6 }, (_, n) => memoryFactOf(`Garden number ${n}`));
    expect(findForgotten(many, "garden")).toEqual([]);
    expect(findForgotten(many, "it")).toEqual([]);
  });
});
