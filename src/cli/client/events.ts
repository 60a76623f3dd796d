/**
 * Server-sent events, as far as the registry sends them.
 *
 * @module
 */

export interface StreamEvent {
  event: string;
  data: string;
}

/** Largest event that is read, in characters. */
const MAX_EVENT = 16 * 1024 * 1024;

/** The events of `response`, in order, until it ends. */
export async function* readEvents(response: Response): AsyncGenerator<StreamEvent> {
  let buffer = "";
  const text = response.body?.pipeThrough(new TextDecoderStream());
  if (text === undefined) return;
  for await (const chunk of text) {
    buffer += chunk;
    for (;;) {
      const end = /\r?\n\r?\n/.exec(buffer);
      if (end === null) break;
      const block = buffer.slice(0, end.index);
      buffer = buffer.slice(end.index + end[0].length);
      let event = "message";
      const data: string[] = [];
      for (const line of block.split(/\r?\n/)) {
        const [, name, value] = /^([a-z]+):\s?(.*)$/.exec(line) ?? [];
        if (name === "event") event = value!;
        if (name === "data") data.push(value!);
      }
      if (data.length > 0) yield { event, data: data.join("\n") };
    }
    if (buffer.length > MAX_EVENT) throw new Error("The registry sent an event that is too large");
  }
}
