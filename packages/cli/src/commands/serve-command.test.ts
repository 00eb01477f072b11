import { describe, expect, it } from "vitest";
import { browserCommand } from "./serve-command.ts";

describe("the command that opens a browser", () => {
  it("is that of the platform", () => {
    const url = "http://127.0.0.1:4870/?a=1&b=2";
    expect(browserCommand(url, "linux")).toEqual(["xdg-open", url]);
    expect(browserCommand(url, "darwin")).toEqual(["open", url]);
    expect(browserCommand(url, "win32")).toEqual(["cmd", "/c", "start", "", "http://127.0.0.1:4870/?a=1^&b=2"]);
  });
});
