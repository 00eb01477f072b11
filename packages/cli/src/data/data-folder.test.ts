import path from "node:path";
import { describe, expect, it } from "vitest";
import { dataFile } from "./data-folder.ts";

const linux = { platform: "linux", env: {}, home: "/home/ada" } as const;

describe("dataFile", () => {
  it("is in the platform's data folder", () => {
    expect(dataFile(undefined, linux)).toBe("/home/ada/.local/share/throughline/throughline.db");
    expect(dataFile(undefined, { ...linux, env: { XDG_DATA_HOME: "/data" } })).toBe("/data/throughline/throughline.db");
    expect(dataFile(undefined, { platform: "darwin", env: {}, home: "/Users/ada" })).toBe(
      "/Users/ada/Library/Application Support/throughline/throughline.db",
    );
    const windows = { platform: "win32", env: {}, home: "C:\\Users\\ada" } as const;
    expect(dataFile(undefined, windows)).toBe("C:\\Users\\ada\\AppData\\Local\\throughline\\throughline.db");
    expect(dataFile(undefined, { ...windows, env: { LOCALAPPDATA: "D:\\Local" } })).toBe(
      "D:\\Local\\throughline\\throughline.db",
    );
    expect(dataFile("\\\\server\\share\\data", windows)).toBe("\\\\server\\share\\data\\throughline.db");
  });

  it("ignores an empty variable, and a relative XDG_DATA_HOME, as the specification says", () => {
    const env = { XDG_DATA_HOME: "share", THROUGHLINE_DATA: "" };
    expect(dataFile(undefined, { ...linux, env })).toBe("/home/ada/.local/share/throughline/throughline.db");
  });

  it("is in the folder of --data, or else of THROUGHLINE_DATA", () => {
    const env = { THROUGHLINE_DATA: "/variable", XDG_DATA_HOME: "/data" };
    expect(dataFile(undefined, { ...linux, env })).toBe("/variable/throughline.db");
    expect(dataFile("/option", { ...linux, env })).toBe("/option/throughline.db");
    expect(dataFile("here", linux)).toBe(path.resolve("here/throughline.db"));
  });

  it("rejects an empty --data, so that data never goes to an unintended folder", () => {
    expect(() => dataFile("", linux)).toThrow("--data is empty.");
  });
});
