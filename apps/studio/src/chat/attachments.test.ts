import { describe, expect, it } from "vitest";
import { ScriptedModel } from "../test/scripted-model.fixture.ts";
import { attachmentParts, readAttachment, takesImages } from "./attachments.ts";

const blind = new ScriptedModel().chatModel;
const seeing = new ScriptedModel({ modelId: "qwen2.5-vl:7b", place: "remote" }).chatModel;
const picture = new File([new Uint8Array([1, 2, 3])], "a.png", { type: "image/png" });

describe("takesImages", () => {
  it.each([
    ...["gpt-4o", "openai/gpt-4o-mini-2024-07-18", "gpt-4.1-nano", "gpt-5.2", "gpt-6-sol", "chatgpt-4o-latest"],
    ...["o1", "o1-pro", "o3", "o3-2025-04-16", "openai/o4-mini"],
    ...["claude-3-haiku-20240307", "us.anthropic.claude-opus-4-1-v1:0", "claude-sonnet-4.5"],
    ...["gemini-2.5-flash", "models/gemini-1.5-pro", "gemini-1.0-pro-vision"],
    ...["gemma3", "gemma3:4b", "gemma3:12b-it-qat", "google/gemma-3-27b-it:free"],
    ...["llama3.2-vision:11b", "phi-3.5-vision-instruct", "meta-llama/llama-4-scout", "llama4:16x17b"],
    ...["qwen2.5vl:7b", "qwen2.5-vl:7b", "Qwen/Qwen3-VL-8B-Instruct", "deepseek-vl2"],
    ...["llava:13b", "bakllava", "moondream", "minicpm-v:8b", "pixtral-12b"],
    ...["mistral-small3.2:24b", "mistral-small-3.1-24b-instruct", "mistral-medium-3", "mistral-medium-3.1"],
  ])("is true for %s", (modelId) => {
    expect(takesImages({ modelId, place: "remote" })).toBe(true);
    expect(takesImages({ modelId, place: "device" })).toBe(false);
  });

  it.each([
    ...["gpt-4", "gpt-3.5-turbo", "gpt-oss:20b", "gpt-4o-audio-preview", "gpt-4o-mini-search-preview"],
    ...["o1-mini", "o1-preview-2024-09-12", "o3-mini", "openai/o3-mini-high", "marco-o1:7b"],
    ...["claude-2.1", "anthropic.claude-v2:1", "claude-instant-1.2", "gemini-1.0-pro"],
    ...["gemma3:1b", "gemma3:1b-it-qat", "google/gemma-3-1b-it", "gemma3:270m", "gemma3n:e4b", "gemma2:9b"],
    ...["llama3.2:3b", "llama-3.3-70b", "qwen3:8b", "qwen2.5-coder:7b", "deepseek-r1:8b", "phi4", "tiny"],
    ...["mistral-small-3", "mistral-small:24b", "mistral-small-24b-instruct-2501", "supervision-7b"],
  ])("is false for %s", (modelId) => {
    expect(takesImages({ modelId, place: "remote" })).toBe(false);
  });
});

describe("a file to attach", () => {
  it("is read as text for any media type", async () => {
    const file = new File(["const a = 1;"], "a.ts", { type: "video/mp2t" });
    expect(await readAttachment(file, undefined)).toEqual({ kind: "text", name: "a.ts", text: "const a = 1;" });
  });

  it("is sent as a picture to a model that takes pictures, and to no other", async () => {
    const image = await readAttachment(picture, seeing);
    expect(image).toEqual({ kind: "image", name: "a.png", mediaType: "image/png", data: "AQID" });
    expect(attachmentParts([image], "m1")).toMatchObject([{ type: "file", mediaType: "image/png", filename: "a.png" }]);
    await expect(readAttachment(picture, blind)).rejects.toThrow("Tiny doesn't take images");
    await expect(readAttachment(picture, undefined)).rejects.toThrow("Images need a model that takes them.");
  });

  it("is refused if it is neither, or too large", async () => {
    const binary = new File([new Uint8Array([0xff, 0xfe, 0])], "a.bin");
    await expect(readAttachment(binary, seeing)).rejects.toThrow("isn't a text file");
    const large = new File(["x".repeat(1_000_001)], "a.txt");
    await expect(readAttachment(large, seeing)).rejects.toThrow("larger than 1 MB");
  });

  it("has its text marked as inserted", () => {
    const [part] = attachmentParts([{ kind: "text", name: "a.txt", text: "I live in Rome." }], "m1");
    expect(part).toMatchObject({ type: "text", synthetic: true, text: '[Attached file "a.txt"]\nI live in Rome.' });
  });
});
