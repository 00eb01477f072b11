import { describe, expect, it } from "vitest";
import { classifyByRules } from "./classify-fact.ts";

describe("classifyByRules", () => {
  it.each([
    ["I prefer dark mode", "preference"],
    ["Prefers direct answers without preamble", "preference"],
    ["Always answer in English", "preference"],
    ["My favourite food is ramen", "preference"],
    ["I live in Lisbon", "identity"],
    ["Lives in Lisbon", "identity"],
    ["User is a nurse", "identity"],
    ["My sister is called Ann", "identity"],
    ["We are building a local-first chat app", "project"],
    ["Currently implementing a memory extraction system", "project"],
    ["The deadline is on Friday", "project"],
    ["Deploy with blue-green", "project"],
    ["Is it raining?", "project"],
    ["数据库", "project"],
  ])("%s: %s", (text, category) => {
    expect(classifyByRules(text)).toBe(category);
  });
});
