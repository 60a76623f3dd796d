/**
 * What tools say that they run, in languages other than English: verb and object near each other, in
 * one sentence, in either order.
 *
 * @module
 */
/** What a tool says that it runs for its caller, all of which that caller writes itself. */
export type Runs = "sql" | "commands" | "code";

interface Language extends Record<Runs, string> {
  run: string;
  /** With one of these a sentence says nothing. */
  not: string;
}

const LANGUAGES: readonly Language[] = [
  // Chinese.
  {
    run: "执行|執行|运行|運行|調用",
    sql: "sql|cypher|查询|查詢|语句|語句",
    commands: "命令|指令|终端|終端|shell|bash|powershell",
    code: "代码|代碼|程式碼|脚本|腳本|python|javascript",
    not: "不|禁止|无法|無法|拒绝|拒絕|请勿|避免|没有|沒有",
  },
  // Japanese.
  {
    run: "実行",
    sql: "sql|cypher|クエリ|ステートメント",
    commands: "コマンド|シェル|ターミナル|shell|bash",
    code: "コード|スクリプト|python|javascript",
    not: "ない|ません|せず|禁止|不可|拒否",
  },
  // Korean.
  {
    run: "실행",
    sql: "sql|cypher|쿼리|질의",
    commands: "명령|커맨드|셸|쉘|터미널|shell|bash",
    code: "코드|스크립트|파이썬|python|javascript",
    not: "않|없|못|금지|거부",
  },
  // Russian.
  {
    run: "выполн|исполн|запуск",
    sql: "sql|cypher|запрос",
    commands: "команд|оболочк|терминал|shell|bash",
    code: "код|скрипт|python|javascript",
    not: "не |нельзя|запре|невозможн|без ",
  },
  // Spanish, Portuguese.
  {
    run: "ejecut|execut",
    sql: "sql|cypher|consulta|sentencia",
    commands: "comando|terminal|shell|bash",
    code: "código|script|python|javascript",
    not: "no |não |nunca |jamás |sin |sem |evita|impede|impide",
  },
  // French.
  {
    run: "exécut",
    sql: "sql|cypher|requête",
    commands: "commande|terminal|shell|bash",
    code: "code|script|python|javascript",
    not: "ne |n'|pas |jamais |sans |aucun|empêch|interdi",
  },
  // German.
  {
    run: "ausführ|führt|ausgeführt",
    sql: "sql|cypher|abfrage|anweisung",
    commands: "befehl|kommando|terminal|shell|bash",
    code: "code|skript|python|javascript",
    not: "nicht|kein|nie |ohne |verhinder|verbot|verweiger",
  },
];

const KINDS: readonly Runs[] = ["sql", "commands", "code"];
const SENTENCES = /[.!?;。！？；\n]+/;
/** Characters between verb and object. */
const BETWEEN = ".{0,20}?";
const MAX_READ = 4000;

const PATTERNS = LANGUAGES.map((language) => ({
  not: new RegExp(`(?:^|[\\s,(])(?:${language.not})|[^\\x00-\\u04ff](?:${language.not})`),
  says: KINDS.map((kind): [Runs, RegExp] => [
    kind,
    new RegExp(
      `(?:${language.run})${BETWEEN}(?:${language[kind]})|` +
        `(?:${language[kind]})${BETWEEN}(?:${language.run})`,
    ),
  ]),
}));
/** Objects that are words of their language alone. */
const GIVEN = new Map(KINDS.map((kind) => [
  kind,
  new RegExp(
    LANGUAGES.flatMap((language) => language[kind].split("|"))
      .filter((word) => !/^[a-z]+$/.test(word)).join("|"),
  ),
]));

/** What a description says that its tool runs. */
export function saidElsewhere(description: string): Set<Runs> {
  const found = new Set<Runs>();
  for (const sentence of description.slice(0, MAX_READ).toLowerCase().split(SENTENCES)) {
    for (const { not, says } of PATTERNS) {
      for (const [kind, pattern] of says) {
        if (pattern.test(sentence) && !not.test(sentence)) found.add(kind);
      }
    }
  }
  return found;
}

/** Whether what is said of a parameter is that it is what runs. */
export function isGivenElsewhere(kind: Runs, description: string): boolean {
  return GIVEN.get(kind)!.test(description.slice(0, MAX_READ).toLowerCase());
}
