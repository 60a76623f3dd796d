/**
 * Programs that send what they are given, or what they read.
 *
 * @module
 */

/** One of them in a command. */
export const TALKS =
  /(^|[\s;|&(`"'/])(curl|wget|nc|ncat|netcat|socat|telnet|https?|xh|sendmail|msmtp|swaks|mailx?|mutt|nslookup|dig|sftp|l?ftp|tftp|openssl\s+s_client|aws|gsutil|gcloud|rclone|s3cmd|git\s[^;|&]{0,200}push|irm|iwr|Invoke-(RestMethod|WebRequest)|Send-MailMessage)\s|\bUpload(String|File|Data)\b/i;
