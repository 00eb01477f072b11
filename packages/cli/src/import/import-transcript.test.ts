import { describe, expect, it } from "vitest";
import { nameOfFile, nameSession } from "./import-transcript.ts";

describe("nameSession", () => {
  it("keeps the id of a transcript", () => {
    expect(nameSession("0276a600-2f22", "chat")).toBe("0276a600-2f22");
    expect(nameSession("session-of-ada", "chat")).toBe("session-of-ada");
    expect(nameSession("0276a600/agent-7", undefined)).toBe("0276a600/agent-7");
  });

  it("names a session without an id, and its sub-agents", () => {
    expect(nameSession("codex", "rollout")).toBe("rollout");
    expect(nameSession("claude-code/agent-7", "rollout")).toBe("rollout/agent-7");
    expect(nameSession("session-1", "chat")).toBe("chat");
    expect(nameSession("session-12", "chat")).toBe("chat/12");
    expect(nameSession("session-1", undefined)).toBeUndefined();
  });
});

describe("nameOfFile", () => {
  it("leaves out the folder and the extension", () => {
    expect(nameOfFile("/a/b/chat.json")).toBe("chat");
    expect(nameOfFile("rollout.2025.jsonl.zst")).toBe("rollout.2025");
    expect(nameOfFile("notes")).toBe("notes");
    expect(nameOfFile(".json")).toBe(".json");
    expect(nameOfFile("-")).toBeUndefined();
  });

  it("is the name of the folder for a file name that every session has", () => {
    expect(nameOfFile("/tasks/1777885200000/api_conversation_history.json")).toBe("1777885200000");
    expect(nameOfFile("/session-state/c0ef/events.jsonl")).toBe("c0ef");
  });
});
