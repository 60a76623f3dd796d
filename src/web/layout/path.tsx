/**
 * Paths and addresses in narrow columns.
 *
 * @module
 */

/** A path that may break behind its slashes. */
export function Path({ text }: { text: string }) {
  return (
    <>
      {text.split("/").map((part, index) => (
        <>
          {index === 0 ? null : (
            <>
              /<wbr />
            </>
          )}
          {part}
        </>
      ))}
    </>
  );
}
