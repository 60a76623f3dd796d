/**
 * Responses whose bytes and headers this listener's server writes as they are: to put both into a
 * `Response` and to take them out again costs several times what sending them does.
 *
 * @module
 */

/** The last value of each name. */
class PlainHeaders extends Headers {
  readonly #values = new Map<string, string>();

  constructor(values: Readonly<Record<string, string>>) {
    super();
    for (const [name, value] of Object.entries(values)) this.set(name, value);
  }

  override get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  override has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  override set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), value);
  }

  override append(name: string, value: string): void {
    const before = this.get(name);
    this.set(name, before === null ? value : `${before}, ${value}`);
  }

  /** Names and values by turns, as Node's server takes them. */
  raw(): string[] {
    return [...this.#values].flat();
  }
}

/**
 * A response for a listener that looks for its `bytes` (`HandlerInfo.takesBytes`). As a `Response` it
 * has no body; of its headers, `get`, `has`, `set` and `append` alone know what is there.
 */
export class ByteResponse extends Response {
  readonly #headers: PlainHeaders;
  /** Null with a status that has no body. */
  readonly content: Uint8Array | null;

  /** @param status 200, or 304 without content. */
  constructor(
    content: Uint8Array | null,
    { status, headers }: { status: number; headers: Readonly<Record<string, string>> },
  ) {
    super(null, { status });
    this.content = content;
    this.#headers = new PlainHeaders(headers);
  }

  override get headers(): Headers {
    return this.#headers;
  }

  /** The headers as Node's server takes them, with the content's length. */
  rawHeaders(): string[] {
    const { content } = this;
    return [
      ...this.#headers.raw(),
      ...(content === null ? [] : ["content-length", `${content.length}`]),
    ];
  }
}
