import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../test/cases.ts";
import type { FilePart } from "../message/part.ts";
import { counterFor, countTokens } from "./count-tokens.ts";
import { fileTokens, imageDimensions } from "./media-tokens.ts";

function png(width: number, height: number): Uint8Array {
  const bytes = new Uint8Array(33);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return bytes;
}

function image(width: number, height: number, more: Partial<FilePart> = {}): FilePart {
  return { id: "f", type: "file", mediaType: "image/png", data: { type: "data", data: png(width, height) }, ...more };
}

const tokens = (part: FilePart, modelId: string) => fileTokens(part, modelId, counterFor(modelId));

describe("image tokens", () => {
  it("follow OpenAI's tiles", () => {
    expect(tokens(image(1024, 1024), "gpt-4o")).toBe(85 + 4 * 170);
    expect(tokens(image(2048, 4096), "gpt-4o")).toBe(85 + 6 * 170);
    expect(tokens(image(512, 512), "gpt-4o")).toBe(85 + 170);
    expect(tokens(image(512, 512), "gpt-4o-mini")).toBe(2833 + 5667);
    expect(tokens(image(1024, 1024), "gpt-5")).toBe(70 + 4 * 140);
  });

  it("follow OpenAI's patches for the small models", () => {
    expect(tokens(image(1024, 1024), "gpt-4.1-mini")).toBe(Math.ceil(1024 * 1.62));
    expect(tokens(image(4000, 4000), "o4-mini")).toBe(Math.ceil(1536 * 1.72));
  });

  it("are only the base in low detail", () => {
    const low = { providerOptions: { openai: { imageDetail: "low" } } };
    expect(tokens(image(4000, 4000, low), "gpt-4o")).toBe(85);
  });

  it("follow Anthropic's pixels, up to its scaled maximum", () => {
    expect(tokens(image(200, 200), "claude-sonnet-4-5")).toBe(54);
    expect(tokens(image(1092, 1092), "claude-sonnet-4-5")).toBe(1590);
    expect(tokens(image(8000, 8000), "claude-sonnet-4-5")).toBe(1600);
  });

  it("follow Gemini's tiles", () => {
    expect(tokens(image(300, 300), "gemini-2.5-pro")).toBe(258);
    expect(tokens(image(960, 540), "gemini-2.5-pro")).toBe(6 * 258);
    expect(tokens(image(1536, 1536), "gemini-2.5-pro")).toBe(4 * 258);
  });

  it("are the maximum of all rules for an unknown model, and the rule's maximum for a remote image", () => {
    const rules = ["gpt-4o", "claude-sonnet-4-5", "gemini-2.5-pro"].map((modelId) => tokens(image(1000, 800), modelId));
    expect(tokens(image(1000, 800), "local-model")).toBe(Math.max(...rules));
    const elsewhere = image(0, 0, { data: { type: "url", url: "https://example.com/a.png" } });
    expect(tokens(elsewhere, "claude-sonnet-4-5")).toBe(1600);
    expect(tokens(elsewhere, "gpt-4o")).toBe(85 + 8 * 170);
  });

  it("do not depend on the encoding: bytes, base64 or data URL", () => {
    const base64 = Buffer.from(png(640, 480)).toString("base64");
    const forms: FilePart["data"][] = [
      { type: "data", data: png(640, 480) },
      { type: "data", data: base64 },
      { type: "url", url: `data:image/png;base64,${base64}` },
    ];
    expect(new Set(forms.map((data) => tokens(image(0, 0, { data }), "gpt-4o"))).size).toBe(1);
  });
});

describe("imageDimensions", () => {
  it("survives any bytes", () => {
    const heads = [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], [0xff, 0xd8, 0xff], [0x47, 0x49, 0x46, 0x38], []];
    fc.assert(
      fc.property(fc.constantFrom(...heads), fc.uint8Array({ maxLength: 300 }), (head, rest) => {
        const size = imageDimensions(new Uint8Array([...head, ...rest]));
        expect(size === undefined || (size.width > 0 && size.height > 0)).toBe(true);
      }),
      { numRuns: cases(200) },
    );
  });

  it("reads only the head of a hostile file", () => {
    const bytes = new Uint8Array(8_000_000).fill(0xff);
    bytes.set([0xff, 0xd8, 0xff, 0xe0, 0, 4]);
    expect(imageDimensions(bytes)).toBeUndefined();
  });

  it("is undefined for text that is not base64", () => {
    expect(imageDimensions("***")).toBeUndefined();
  });
});

describe("tokens of other files", () => {
  const file = (mediaType: string, data: FilePart["data"]): FilePart => ({ id: "f", type: "file", mediaType, data });

  it("are those of the text if the file is text", () => {
    const text = '{"name":"throughline"}';
    const base64 = Buffer.from(text).toString("base64");
    expect(tokens(file("application/json", { type: "data", data: base64 }), "gpt-4o")).toBe(countTokens(text));
    expect(tokens(file("text/plain", { type: "text", text }), "gpt-4o")).toBe(countTokens(text));
  });

  it("are those of the text of a data URL, escaped or in base64", () => {
    for (const url of ["data:text/plain,hello%20world", "DATA:text/plain;base64,aGVsbG8gd29ybGQ="]) {
      expect(tokens(file("text/plain", { type: "url", url }), "gpt-4o")).toBe(countTokens("hello world"));
    }
  });

  it("grow with the pages of a document", () => {
    const page = "<< /Type /Page /Parent 1 0 R >>\n";
    const pdf = (pages: number) =>
      file("application/pdf", { type: "data", data: Buffer.from(`%PDF-1.4 /Type /Pages\n${page.repeat(pages)}`) });
    expect(tokens(pdf(3), "claude-sonnet-4-5")).toBe(9_000);
    expect(tokens(pdf(3), "gemini-2.5-pro")).toBe(3 * 258);
  });

  it("grow with the bytes of audio, video and other files", () => {
    for (const mediaType of ["audio/mpeg", "audio/wav", "video/mp4", "application/octet-stream"]) {
      const of = (bytes: number) =>
        tokens(file(mediaType, { type: "data", data: new Uint8Array(bytes) }), "gemini-2.5-pro");
      expect(of(4_000_000)).toBeGreaterThan(of(1_000_000));
    }
  });
});
