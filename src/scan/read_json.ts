/**
 * Answers of services, read within bounds.
 *
 * @module
 */

/** The parsed body of an answer. Rejects when it is larger than `maxBytes` or no JSON. */
export async function readJson(response: Response, maxBytes: number): Promise<unknown> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`The response is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return JSON.parse(await new Blob(chunks).text());
}
