const CHUNK = 0x8000;

/** Base64 of bytes; a text that is base64 already stays as it is. */
export function toBase64(data: string | Uint8Array): string {
  if (typeof data === "string") return data;
  let binary = "";
  for (let start = 0; start < data.length; start += CHUNK) {
    binary += String.fromCharCode(...data.subarray(start, start + CHUNK));
  }
  return btoa(binary);
}

/** The first bytes of base64 data, enough to read a header; `undefined` where it is not base64. */
export function headBytes(data: string | Uint8Array, count: number): Uint8Array | undefined {
  // Base64 comes in groups of four; a part of one cannot be read.
  return typeof data === "string" ? fromBase64(data.slice(0, Math.ceil(count / 3) * 4)) : data.subarray(0, count);
}

/** The bytes of base64 data; `undefined` where it is not base64. */
export function fromBase64(data: string | Uint8Array): Uint8Array | undefined {
  if (typeof data !== "string") return data;
  try {
    return Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** How many bytes there are, without decoding them. */
export function byteLength(data: string | Uint8Array): number {
  return typeof data === "string" ? Math.floor((data.length * 3) / 4) : data.length;
}

/** The text that base64 data or bytes hold; `undefined` where it is not base64. */
export function decodeText(data: string | Uint8Array): string | undefined {
  const bytes = fromBase64(data);
  return bytes && new TextDecoder().decode(bytes);
}
