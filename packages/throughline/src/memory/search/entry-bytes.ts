import { InvalidOptionError } from "../../errors/input-errors.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Writes values to a byte array, numbers in little-endian order. */
export class ByteWriter {
  #bytes = new Uint8Array(256);
  #view = new DataView(this.#bytes.buffer);
  #end = 0;

  byte(value: number): void {
    const at = this.#claim(1);
    this.#bytes[at] = value;
  }

  short(value: number): void {
    const at = this.#claim(2);
    this.#view.setUint16(at, value, true);
  }

  /** Up to eight optional numbers. One byte is the mask of those that are present. */
  numbers(values: readonly (number | undefined)[]): void {
    this.byte(values.reduce<number>((mask, value, at) => (value === undefined ? mask : mask | (1 << at)), 0));
    for (const value of values) {
      if (value === undefined) continue;
      const at = this.#claim(8);
      this.#view.setFloat64(at, value, true);
    }
  }

  /** An optional text. */
  text(value: string | undefined): void {
    const bytes = value === undefined ? undefined : encoder.encode(value).subarray(0, 0xfffe);
    this.short(bytes === undefined ? 0 : bytes.length + 1);
    if (bytes !== undefined) this.append(bytes);
  }

  words(values: readonly number[]): void {
    const start = this.#claim(4 * values.length);
    values.forEach((value, at) => {
      this.#view.setUint32(start + 4 * at, value, true);
    });
  }

  append(bytes: Uint8Array): void {
    const at = this.#claim(bytes.length);
    this.#bytes.set(bytes, at);
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#end);
  }

  #claim(length: number): number {
    const at = this.#end;
    this.#end += length;
    if (this.#end > this.#bytes.length) {
      const wider = new Uint8Array(2 * this.#end);
      wider.set(this.#bytes);
      this.#bytes = wider;
      this.#view = new DataView(wider.buffer);
    }
    return at;
  }
}

/** Reads the output of a {@link ByteWriter}. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** @throws InvalidOptionError if the first byte is not this version. */
  expect(version: number): void {
    const found = this.#bytes[0];
    if (found !== version) {
      throw new InvalidOptionError("search entry version", found, `${version}. Reindex the space`);
    }
    this.#at = 1;
  }

  byte(): number {
    return this.#bytes[this.#claim(1)] as number;
  }

  short(): number {
    return this.#view.getUint16(this.#claim(2), true);
  }

  numbers(count: number): (number | undefined)[] {
    const mask = this.byte();
    const values: (number | undefined)[] = [];
    for (let at = 0; at < count; at += 1) {
      values.push((mask & (1 << at)) === 0 ? undefined : this.#view.getFloat64(this.#claim(8), true));
    }
    return values;
  }

  text(): string | undefined {
    const length = this.short();
    if (length === 0) return undefined;
    const at = this.#claim(length - 1);
    return decoder.decode(this.#bytes.subarray(at, at + length - 1));
  }

  words(count: number): Uint32Array {
    const start = this.#claim(4 * count);
    const words = new Uint32Array(count);
    for (let at = 0; at < count; at += 1) words[at] = this.#view.getUint32(start + 4 * at, true);
    return words;
  }

  /** The next bytes, not copied. */
  take(count: number): Uint8Array {
    const at = this.#claim(count);
    return this.#bytes.subarray(at, at + count);
  }

  /** All remaining bytes, not copied. */
  rest(): Uint8Array {
    return this.take(this.#bytes.length - this.#at);
  }

  #claim(length: number): number {
    const at = this.#at;
    this.#at += length;
    if (this.#at > this.#bytes.length)
      throw new InvalidOptionError("search entry", "truncated", "a complete entry; reindex the space");
    return at;
  }
}
