/**
 * The way from the host to an interpreter.
 *
 * @module
 */
import { type MailReceiver, receiveMail } from "../../wire/mail.ts";
import type { ToInterpreter } from "../messages.ts";
import { listen } from "./globals.ts";
import { send, sendThrough } from "./send.ts";

// The host is trusted.
const ANY_SIZE = { head: 2 ** 31, body: 2 ** 31 };

/**
 * Calls `listener` with each message of the host, which is trusted. With the first one comes the
 * memory through which most of the others go.
 */
export function hear(listener: (message: ToInterpreter, body: Uint8Array) => void): void {
  let mail: MailReceiver | null = null;

  function openMail(
    { up, down }: { up: SharedArrayBuffer; down: SharedArrayBuffer },
  ): MailReceiver {
    sendThrough(up);
    return receiveMail(down, {
      limits: ANY_SIZE,
      onFrame: ({ head, body }) => listener(head as ToInterpreter, body),
      onBroken: (error) => send({ type: "fatal", message: String(error).slice(0, 2000) }),
    });
  }

  listen((message, body) => {
    if ("parts" in message) mail ??= openMail(message.parts.mail);
    mail?.posted(() => listener(message, body));
  });
}
