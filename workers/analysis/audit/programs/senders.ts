/**
 * Programs that send what they are given, or what they read.
 *
 * @module
 */

/** One of them in a command. */
export const TALKS =
  /(^|[\s;|&(`"'/])(curl|wget|nc|ncat|netcat|socat|telnet|https?|xh|sendmail|mailx?|nslookup|dig)\s/;
