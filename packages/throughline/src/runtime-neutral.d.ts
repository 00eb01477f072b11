// Globals that every supported runtime has (Node, browsers, workers, edge). The core is compiled with these and
// with the language itself, and with nothing of Node or of the DOM: globals that are not declared here cannot be used
// in the core.

declare class TextEncoder {
  encode(text?: string): Uint8Array;
}

declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(input?: Uint8Array, options?: { stream?: boolean }): string;
}

declare class URL {
  constructor(url: string, base?: string);
  readonly href: string;
}

interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

declare function atob(base64: string): string;

declare function btoa(binary: string): string;

declare const performance: { now(): number };

declare const console: { error(text: string): void };

declare function setTimeout(work: () => void, milliseconds: number): unknown;

declare function clearTimeout(timer: unknown): void;

declare const crypto: { getRandomValues(bytes: Uint8Array): Uint8Array };
