/**
 * A mail server on loopback that keeps what it gets.
 *
 * @module
 */
import { SMTPServer } from "smtp-server";

/** A message as it came. */
export interface Received {
  to: string[];
  text: string;
}

/** The running server. */
export interface MailServer {
  url: string;
  received: Received[];
  close(): Promise<void>;
}

export async function startSmtp(): Promise<MailServer> {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      const parts: Uint8Array[] = [];
      stream.on("data", (part: Uint8Array) => parts.push(part));
      stream.on("end", async () => {
        const text = await new Blob(parts as Uint8Array<ArrayBuffer>[]).text();
        received.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  // A connection that ends in the midst of a message is what some tests are about.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.server.address() as { port: number };
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The text of a message, without its transfer encoding. */
export function textOfMail({ text }: Received): string {
  return text.replaceAll("=\r\n", "").replaceAll("=3D", "=");
}
