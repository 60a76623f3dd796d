/**
 * A connection that speaks just enough HTTP/1.1 for a measurement: `fetch` takes a quarter of a
 * millisecond of processor time a request, on the processors that the measured service has.
 *
 * @module
 */

/** What came back. */
export interface HttpAnswer {
  status: number;
  /** Header lines, as they came. */
  head: string;
  text: string;
}

/** Servers close connections that rest for longer; so this opens another one. */
const REST_MS = 2000;

const HEAD_END = "\r\n\r\n";

/** The body of `chunked` bytes, or null while its last chunk is not there. */
function unchunked(bytes: string): string | null {
  let body = "";
  for (let at = 0;;) {
    const end = bytes.indexOf("\r\n", at);
    if (end < 0) return null;
    const size = parseInt(bytes.slice(at, end), 16);
    if (Number.isNaN(size)) throw new Error(`No size of a chunk: ${bytes.slice(at, end)}`);
    if (bytes.length < end + 2 + size + 2) return null;
    if (size === 0) return body;
    body += bytes.slice(end + 2, end + 2 + size);
    at = end + 2 + size + 2;
  }
}

/** The answer in Latin-1 `bytes`, or null while some of it is not there. */
function parsed(bytes: string): HttpAnswer | null {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return null;
  const head = bytes.slice(0, end);
  const rest = bytes.slice(end + HEAD_END.length);
  const status = Number(head.slice(9, 12));
  if (/^transfer-encoding: *chunked/im.test(head)) {
    const text = unchunked(rest);
    return text === null ? null : { status, head, text };
  }
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  return rest.length < length ? null : { status, head, text: rest.slice(0, length) };
}

/** Requests to one server, one after the other. Text of answers is read as ASCII. */
export class HttpConnection {
  #connection: Deno.TcpConn | null = null;
  #usedAt = 0;
  readonly #buffer = new Uint8Array(64 * 1024);
  readonly #decoder = new TextDecoder("latin1");
  readonly #encoder = new TextEncoder();

  constructor(private readonly url: URL) {}

  /** @param headers Lines that end with `\r\n`. */
  async ask(method: string, headers: string, body: string): Promise<HttpAnswer> {
    const bytes = this.#encoder.encode(body);
    const head =
      `${method} ${this.url.pathname}${this.url.search} HTTP/1.1\r\nHost: ${this.url.host}\r\n` +
      `${headers}Content-Length: ${bytes.length}\r\n\r\n`;
    const request = this.#encoder.encode(head + body);
    const connection = await this.#open();
    for (let sent = 0; sent < request.length;) {
      sent += await connection.write(request.subarray(sent));
    }
    let text = "";
    for (;;) {
      const read = await connection.read(this.#buffer);
      if (read === null) throw new Error(`The server closed the connection: ${text}`);
      text += this.#decoder.decode(this.#buffer.subarray(0, read));
      const answer = parsed(text);
      if (answer !== null) {
        this.#usedAt = performance.now();
        return answer;
      }
    }
  }

  close(): void {
    this.#connection?.close();
    this.#connection = null;
  }

  async #open(): Promise<Deno.TcpConn> {
    if (this.#connection !== null && performance.now() - this.#usedAt > REST_MS) this.close();
    if (this.#connection === null) {
      const { hostname, port } = this.url;
      this.#connection = await Deno.connect({ hostname, port: Number(port) });
      this.#connection.setNoDelay(true);
    }
    return this.#connection;
  }
}
