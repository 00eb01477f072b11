import { describe, expect, it } from "vitest";
import {
  byteLength,
  decodeText,
  fullMediaType,
  headBytes,
  readFileData,
  splitDataUrl,
  toBase64,
  writeFileData,
} from "./file-data.ts";

describe("file data", () => {
  it("is a URL if it starts like one, and base64 otherwise", () => {
    expect(readFileData("https://example.com/a.png")?.data.type).toBe("url");
    expect(readFileData("data:image/png;base64,AAAA")?.data.type).toBe("url");
    expect(readFileData("httpsAAAA")?.data.type).toBe("data");
  });

  it("is unknown if the SDK has no such kind", () => {
    for (const value of [undefined, null, 1, {}, [], { type: "new" }, { type: "url", url: 1 }, { openai: 1 }]) {
      expect(readFileData(value)).toBeUndefined();
    }
  });

  it("is bytes if it is untagged text, because version 6 has no text data", () => {
    const data = { type: "text", text: "é" } as const;
    expect(writeFileData(data, [])).toEqual(new TextEncoder().encode("é"));
    expect(writeFileData(data, ["tagged"])).toEqual(data);
  });
});

describe("a data URL", () => {
  it("is split into media type and base64", () => {
    expect(splitDataUrl("data:image/png;base64,AA,A")).toEqual({ mediaType: "image/png", base64: "AA,A" });
  });

  it("stays whole if it is not base64 or has no type", () => {
    for (const url of [
      "data:text/plain,hello",
      "data:;base64,AAAA",
      "https://example.com/;base64,x",
      "data:image/png",
    ]) {
      expect(splitDataUrl(url)).toBeUndefined();
    }
  });
});

describe("an image of unknown type", () => {
  it("is detected by its first bytes", () => {
    expect(fullMediaType("image", "iVBORw0KGgoAAAA")).toBe("image/png");
    expect(fullMediaType("image/*", new Uint8Array([0xff, 0xd8, 0xff, 0xe0]))).toBe("image/jpeg");
    expect(fullMediaType("image", toBase64(new TextEncoder().encode("GIF89a")))).toBe("image/gif");
    expect(fullMediaType("image", "UklGRiQAAABXRUJQ")).toBe("image/webp");
    expect(fullMediaType("image", "????")).toBe("image/jpeg");
    expect(fullMediaType("text/plain", "iVBORw0KGgo")).toBe("text/plain");
  });
});

describe("base64", () => {
  it("encodes large data without overflowing the stack", () => {
    const bytes = new Uint8Array(1_000_003).fill(7);
    expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
    expect(toBase64("AAAA")).toBe("AAAA");
  });

  it("decodes its text, its first bytes and its length", () => {
    const data = Buffer.from("grüße").toString("base64");
    expect(decodeText(data)).toBe("grüße");
    expect(decodeText(new TextEncoder().encode("grüße"))).toBe("grüße");
    expect(decodeText("no base64!")).toBeUndefined();
    expect(headBytes(data, 3)).toEqual(new TextEncoder().encode("grü").slice(0, 3));
    expect(headBytes("!!!!", 3)).toBeUndefined();
    expect(byteLength("AAAA")).toBe(3);
    expect(byteLength(new Uint8Array(5))).toBe(5);
  });
});
