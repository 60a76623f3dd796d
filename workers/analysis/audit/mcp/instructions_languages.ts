/**
 * The orders that matter most, in other languages than English. Each stands for the signal of its
 * name, and weighs what that one does.
 *
 * @module
 */

/** A pattern and the name of the signal that it stands for. */
export const IN_OTHER_LANGUAGES: readonly { name: string; pattern: RegExp }[] = [
  {
    name: "overrides other instructions",
    pattern:
      /(忽略|无视|忽視|無視).{0,8}(之前|以前|以上|先前|前面|所有|一切|上記|これまで).{0,8}(指令|指示|提示|规则|規則)|(以前|上記|これまで)の.{0,6}(指示|命令)を?.{0,4}(無視|忘れ)|\b(ignorier\w*|vergiss|missachte\w*)\b.{0,30}\b(vorherigen|bisherigen|vorigen|alle|anderen|obigen)\b.{0,30}\b(Anweisung\w*|Regeln|Vorgaben)|\b(ignore[rzs]?|oublie[rzs]?)\b.{0,30}\b(instructions|consignes|règles)\b.{0,30}\b(précédentes|antérieures|ci-dessus)|\b(ignor[ae]\w*|olvida\w*)\b.{0,30}\b(instrucciones|reglas|instruções|regras|istruzioni|regole)\b.{0,30}\b(anteriores|previas|prévias|precedenti)|(игнорируй|забудь|не учитывай)\S{0,3}.{0,30}(предыдущ|прежн|все|други)\S{0,6}.{0,20}(инструкци|указани|правил)/i,
  },
  {
    name: "asks to keep something from the user",
    pattern:
      /(不要|不得|别|請勿|请勿|切勿|勿).{0,6}(告诉|告訴|告知|提及|通知|透露|询问).{0,6}(用户|用戶|使用者)|(不要|请勿|切勿).{0,4}(向|对|對|让|讓)(用户|用戶|使用者)|ユーザーに.{0,12}(言わない|伝えない|知らせない|話さない|見せない)|\b(sag\w*|erzähl\w*|verrat\w*|erwähn\w*|teil\w*|zeig\w*)\b.{0,20}\b(Benutzer|Nutzer|Anwender)\w*\b.{0,20}\b(nicht|nichts|niemals)|\b(Benutzer|Nutzer|Anwender)\w*\b.{0,15}\b(nicht|nichts|niemals)\b.{0,20}\b(sag|erzähl|verrat|erwähn|mitteil|zeig)\w*|\bne\b.{0,20}\b(dites|dis|mentionne[zs]?|révéle[zs]?|informe[zs]?|montre[zs]?)\b.{0,30}\butilisateur|\b(no|não|non)\b.{0,20}\b(diga|digas|dire|menciones?|reveles?|informes?|informe|muestres?|mencione|conte)\b.{0,30}\b(usuario|usuário|utente)|(?<![а-яё])не\s.{0,20}(говори|сообщай|упоминай|рассказывай|показывай)\S{0,3}.{0,30}пользовател/i,
  },
  {
    name: "asks for secrets or files",
    // Whatever the language: a description has no reason to name them.
    pattern:
      /~\/\.(ssh|aws|gnupg|kube|netrc)\b|\bid_(rsa|ed25519|ecdsa)\b|\.ssh\/|\.cursor\/mcp\.json/i,
  },
];
