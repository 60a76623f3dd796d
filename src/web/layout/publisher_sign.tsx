/**
 * The sign of servers whose repository names the account that published them.
 *
 * @module
 */
import { QuietSign } from "./badge_sign.tsx";

/** Nothing for other servers: that a repository says nothing is no fault. */
export function PublisherSign({ isVerified }: { isVerified: boolean }) {
  if (!isVerified) return null;
  return (
    <QuietSign
      label="Verified publisher"
      sign="M8 1.5l5 2v4.5c0 3-2.2 5.3-5 6.5c-2.8-1.2-5-3.5-5-6.5V3.5zM5.8 8l1.7 1.7 3-3.2"
      hint="The repository names the account that published it"
    />
  );
}
