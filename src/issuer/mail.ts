/**
 * How links reach their owners: by mail, or, on a machine of one's own, on the terminal.
 *
 * @module
 */
import { createTransport } from "nodemailer";

/** A message with a link that works once. */
export interface Message {
  to: string;
  subject: string;
  /** What the message is about, a paragraph each. */
  lines: readonly string[];
  link: string;
}

/** Sends messages. */
export interface Mailer {
  /** Whether `send` writes on the terminal of the operator. */
  readonly toTerminal: boolean;
  send(message: Message): Promise<void>;
  close(): void;
}

const TIMEOUT_MS = 20_000;

/** Sends by the server of `url` (`smtp://` or `smtps://`, with user and password). */
export function smtpMailer(options: { url: string; from: string }): Mailer {
  const transport = createTransport({
    url: options.url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    toTerminal: false,
    async send({ to, subject, lines, link }) {
      await transport.sendMail({
        from: options.from,
        // As an object: an address is never read as a list of addresses.
        to: { name: "", address: to },
        subject,
        text: `${lines.join("\n\n")}\n\n${link}\n`,
      });
    },
    close() {
      transport.close();
    },
  };
}

/** Prints the links for the operator, who is the user on a machine of one's own. */
export function terminalMailer(announce: (line: string) => void): Mailer {
  return {
    toTerminal: true,
    send({ to, subject, link }) {
      announce(`${subject} (${to}):\n  ${link}`);
      return Promise.resolve();
    },
    close() {},
  };
}
