/**
 * The way from an interpreter to its host.
 *
 * @module
 */
import { createMailSender, type MailSender } from "../../wire/mail.ts";
import type { FromInterpreter } from "../messages.ts";
import { post } from "./globals.ts";

/** Sends a message; the memory of a large `body` goes with it. */
export type Send = (message: FromInterpreter, body?: Uint8Array) => void;

/** Up to this size copying takes less time than handing over. */
const COPIED_BYTES = 64 * 1024;

let mail: MailSender | null = null;

/** From now on most messages go through `memory`. */
export function sendThrough(memory: SharedArrayBuffer): void {
  mail = createMailSender(memory);
}

/**
 * Sends a message to the host. Large bodies are transferred, not copied: their buffer is detached.
 */
export const send: Send = (message, body) => {
  if (mail?.send(message, body)) return;
  mail?.posting();
  if (body === undefined) return post(message);
  const isHandedOver = body.length > COPIED_BYTES && body.length === body.buffer.byteLength;
  post({ ...message, body }, isHandedOver ? [body.buffer as ArrayBuffer] : []);
};
