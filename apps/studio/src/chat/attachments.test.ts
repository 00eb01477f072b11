import { describe, expect, it } from "vitest";
import { ScriptedModel } from "../test/scripted-model.fixture.ts";
import { attachmentParts, readAttachment } from "./attachments.ts";

const blind = new ScriptedModel().chatModel;
const seeing = new ScriptedModel({ modelId: "qwen2.5-vl:7b", place: "remote" }).chatModel;
const picture = new File([new Uint8Array([1, 2, 3])], "a.png", { type: "image/png" });

describe("a file to attach", () => {
  it("is read as text, whatever its type is", async () => {
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
