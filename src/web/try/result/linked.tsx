/**
 * Texts of tools with their web addresses as links.
 *
 * @module
 */

const ADDRESS = /(https?:\/\/[^\s<>"'`\\^{|}]{1,2000})/;
/** Punctuation that ends a sentence, not an address. */
const ENDING = ".,;:!?)]*_";
const LINKS_MAX = 200;

/** A link to a stranger's address. */
export function ForeignLink({ href, text = href }: { href: string; text?: string }) {
  return <a href={href} rel="nofollow ugc noopener noreferrer">{text}</a>;
}

/** Whether `text` is one web address and nothing else. */
export function isAddress(text: string): boolean {
  return /^https?:\/\/[^\s<>"'`\\^{|}]{1,2000}$/.test(text) && URL.canParse(text);
}

function withoutEnding(address: string): string {
  let end = address.length;
  while (end > 0 && ENDING.includes(address[end - 1]!)) end--;
  return address.slice(0, end);
}

/** `text` with links; what is not an address stays as it is. */
export function Linked({ text }: { text: string }) {
  const parts = text.split(ADDRESS);
  if (parts.length === 1 || parts.length > LINKS_MAX * 2) return <>{text}</>;
  return (
    <>
      {parts.map((part, index) => {
        if (index % 2 === 0) return part;
        const address = withoutEnding(part);
        if (!isAddress(address)) return part;
        return (
          <>
            <ForeignLink href={address} />
            {part.slice(address.length)}
          </>
        );
      })}
    </>
  );
}
