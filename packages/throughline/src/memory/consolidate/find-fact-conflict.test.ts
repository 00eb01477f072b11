import { describe, expect, it } from "vitest";
import { factOf } from "../facts/memory.arbitrary.ts";
import { findFactConflict } from "./find-fact-conflict.ts";

const between = (a: string, b: string) => findFactConflict(factOf(a), factOf(b))?.kind;

describe("facts of one form", () => {
  it.each([
    ["The shop API runs on port 8080", "The blog API runs on port 9090"],
    ["Bob's desk is in room 4", "Ann's desk is in room 7"],
    ["Service amber1 talks to billing over port 3001", "Service amber2 talks to billing over port 3002"],
    ["The kick-off is on Monday in Berlin", "The demo is on Friday in Paris"],
  ])("do not contradict each other where something else tells them apart: %s / %s", (a, b) => {
    expect(between(a, b)).toBeUndefined();
  });

  it.each([
    ["Ann has two dogs", "Ann has three dogs", "number"],
    ["The shop API runs on port 8080", "The shop API now runs on port 9090", "number"],
    ["The build takes ten minutes", "The build takes 25 minutes", "number"],
    ["User likes coffee", "User does not like coffee", "opinion"],
  ])("do where nothing else does: %s / %s", (a, b, kind) => {
    expect(between(a, b)).toBe(kind);
  });
});
