import { describe, expect, it } from "vitest";
import { busy } from "../ports/store.ts";
import { InvalidOptionError } from "./input-errors.ts";
import { StoreError } from "./store-errors.ts";
import { ThroughlineError } from "./throughline-error.ts";

describe("the message of an error", () => {
  it("names the failure and the remedy", () => {
    const { message, summary, hint } = new InvalidOptionError("port", 99_999, "an integer from 0 to 65535");
    expect(message).toBe("Invalid port: 99999. Expected an integer from 0 to 65535.");
    expect(message).toBe(`${summary} ${hint}`);
  });

  it("ends the summary with a period, so that the advice is a separate sentence", () => {
    const error = new StoreError("unavailable", "connect ECONNREFUSED", { hint: "Start the database." });
    expect(error.message).toBe("connect ECONNREFUSED. Start the database.");
    expect(new StoreError("unavailable", "Is it running?", { hint: "Start it." }).summary).toBe("Is it running?");
  });

  it("uses the given advice instead of the default for the problem", () => {
    const [common, own] = [{}, { hint: "Reload the page." }].map(
      (options) => new StoreError("busy", "Locked.", options),
    );
    expect(common?.hint).not.toBe("");
    expect(own?.message).toBe("Locked. Reload the page.");
  });
});

describe("the error after lost attempts to write", () => {
  it("names the failed operation, and the advice once", () => {
    const { message, problem } = busy("append to", "s1");
    const advice = "Retry, or write from fewer processes.";
    expect(message).toBe(`Could not append to session s1: 200 attempts lost to concurrent writers. ${advice}`);
    expect(problem).toBe("busy");
  });
});

describe("ThroughlineError.isInstance", () => {
  it("recognizes subclasses and no other errors", () => {
    expect(ThroughlineError.isInstance(new StoreError("closed", "Closed."))).toBe(true);
    expect([new Error("x"), undefined, null, "x"].some(ThroughlineError.isInstance)).toBe(false);
  });
});
