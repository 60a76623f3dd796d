/**
 * Lines of a text stream.
 *
 * @module
 */

/** Splits text into lines; a last line without its line end is dropped, as it may be torn. */
export class TextLineStream extends TransformStream<string, string> {
  constructor() {
    let rest = "";
    super({
      transform(chunk, controller) {
        const lines = (rest + chunk).split("\n");
        rest = lines.pop()!;
        for (const line of lines) controller.enqueue(line);
      },
    });
  }
}
