import { expect, it } from "vitest";
import { configFile } from "./config-file.ts";

it.each([
  ["linux", {}, "/home/ada", "/home/ada/.config/throughline/config.json"],
  ["linux", { XDG_CONFIG_HOME: "/etc/ada" }, "/home/ada", "/etc/ada/throughline/config.json"],
  ["linux", { XDG_CONFIG_HOME: "relative" }, "/home/ada", "/home/ada/.config/throughline/config.json"],
  ["darwin", {}, "/Users/ada", "/Users/ada/Library/Application Support/throughline/config.json"],
  ["win32", {}, "C:\\Users\\ada", "C:\\Users\\ada\\AppData\\Roaming\\throughline\\config.json"],
  ["win32", { APPDATA: "D:\\Roaming" }, "C:\\Users\\ada", "D:\\Roaming\\throughline\\config.json"],
  ["win32", { THROUGHLINE_CONFIG: "D:/own.json" }, "C:\\Users\\ada", "D:\\own.json"],
] as const)("the settings file on %s with %j", (platform, env, home, file) => {
  expect(configFile({ platform, env, home }).file).toBe(file);
});
