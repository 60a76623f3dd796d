/**
 * Functions and classes of packages that start programs or open sockets, which no session has. What
 * sends HTTP works: it is not here.
 *
 * @module
 */

/** By module or class: its names. */
const PROGRAMS: Readonly<Record<string, string>> = {
  "playwright.sync_api": "sync_playwright",
  "playwright.async_api": "async_playwright",
  "patchright.sync_api": "sync_playwright",
  "patchright.async_api": "async_playwright",
  "selenium.webdriver": "Chrome ChromiumEdge Edge Firefox Ie Safari",
  undetected_chromedriver: "Chrome",
  pyppeteer: "launch connect",
  crawl4ai: "AsyncWebCrawler",
  browser_use: "Agent Browser",
  git: "Repo Git",
  docker: "from_env DockerClient APIClient",
  aiodocker: "Docker",
  ffmpeg: "input probe run run_async",
  "pydub.AudioSegment": "from_file from_mp3 from_ogg from_flv",
  moviepy: "VideoFileClip AudioFileClip",
  "moviepy.editor": "VideoFileClip AudioFileClip",
  pytesseract: "image_to_string image_to_data image_to_boxes image_to_osd " +
    "image_to_pdf_or_hocr image_to_alto_xml get_languages get_tesseract_version",
  pdf2image: "convert_from_path convert_from_bytes pdfinfo_from_path pdfinfo_from_bytes",
  pypandoc: "convert_file convert_text",
  pexpect: "spawn run",
  "pexpect.popen_spawn": "PopenSpawn",
  nmap: "PortScanner PortScannerAsync",
  invoke: "run",
};

const SOCKETS: Readonly<Record<string, string>> = {
  redis: "Redis StrictRedis RedisCluster from_url ConnectionPool BlockingConnectionPool",
  "redis.asyncio": "Redis StrictRedis RedisCluster from_url ConnectionPool BlockingConnectionPool",
  "redis.client": "Redis StrictRedis",
  "redis.asyncio.client": "Redis StrictRedis",
  "redis.cluster": "RedisCluster",
  "redis.sentinel": "Sentinel",
  aioredis: "Redis StrictRedis from_url create_redis create_redis_pool",
  "pymemcache.client.base": "Client PooledClient",
  memcache: "Client",
  pymysql: "connect Connect Connection",
  "pymysql.connections": "Connection",
  MySQLdb: "connect",
  aiomysql: "connect create_pool",
  asyncmy: "connect create_pool",
  "mysql.connector": "connect MySQLConnection",
  "mysql.connector.aio": "connect",
  "mysql.connector.pooling": "MySQLConnectionPool",
  mariadb: "connect ConnectionPool",
  psycopg: "connect",
  "psycopg.Connection": "connect",
  "psycopg.AsyncConnection": "connect",
  psycopg_pool: "ConnectionPool AsyncConnectionPool NullConnectionPool AsyncNullConnectionPool",
  psycopg2: "connect",
  "psycopg2.pool": "SimpleConnectionPool ThreadedConnectionPool AbstractConnectionPool",
  asyncpg: "connect create_pool",
  aiopg: "connect create_pool",
  pg8000: "connect",
  "pg8000.native": "Connection",
  pymssql: "connect",
  pytds: "connect",
  oracledb: "connect connect_async create_pool create_pool_async",
  pymongo: "MongoClient AsyncMongoClient",
  "pymongo.mongo_client": "MongoClient",
  "motor.motor_asyncio": "AsyncIOMotorClient",
  "motor.motor_tornado": "MotorClient",
  motor: "MotorClient",
  "neo4j.GraphDatabase": "driver",
  "neo4j.AsyncGraphDatabase": "driver",
  "cassandra.cluster": "Cluster",
  clickhouse_driver: "Client connect",
  websockets: "connect serve unix_connect",
  "websockets.client": "connect",
  "websockets.asyncio.client": "connect",
  "websockets.sync.client": "connect",
  "websockets.legacy.client": "connect",
  websocket: "create_connection WebSocket WebSocketApp",
  aiosmtplib: "send SMTP",
  yagmail: "SMTP",
  imapclient: "IMAPClient",
  aioimaplib: "IMAP4 IMAP4_SSL",
  imap_tools: "MailBox MailBoxTls MailBoxUnencrypted MailBoxStartTls",
  kafka: "KafkaProducer KafkaConsumer KafkaAdminClient",
  aiokafka: "AIOKafkaProducer AIOKafkaConsumer",
  confluent_kafka: "Producer Consumer DeserializingConsumer SerializingProducer",
  "confluent_kafka.admin": "AdminClient",
  pika: "BlockingConnection SelectConnection",
  aio_pika: "connect connect_robust",
  "paho.mqtt.client": "Client",
  "paho.mqtt.publish": "single multiple",
  "paho.mqtt.subscribe": "simple callback",
  aiomqtt: "Client",
  nats: "connect",
  stomp: "Connection Connection11 Connection12",
  ldap3: "Connection",
  grpc: "insecure_channel secure_channel",
  "grpc.aio": "insecure_channel secure_channel",
  paramiko: "SSHClient Transport",
  "paramiko.client": "SSHClient",
  "paramiko.SSHClient": "connect",
  fabric: "Connection",
  asyncssh: "connect create_connection",
  netmiko: "ConnectHandler",
  telnetlib3: "open_connection",
  "dns.resolver": "resolve query",
  "dns.asyncresolver": "resolve",
  "dns.query": "udp tcp tls",
  whois: "whois",
};

type Kind = "process" | "socket";

function entriesOf(table: Readonly<Record<string, string>>, kind: Kind): [string, Kind][] {
  return Object.entries(table).flatMap(([module, names]) =>
    names.split(" ").map((name): [string, Kind] => [`${module}.${name}`, kind])
  );
}

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ...entriesOf(PROGRAMS, "process"),
  ...entriesOf(SOCKETS, "socket"),
]);

/** Functions that make engines of the database that an address names first. */
const ENGINES = new Set([
  "sqlalchemy.create_engine",
  "sqlalchemy.engine.create_engine",
  "sqlalchemy.ext.asyncio.create_async_engine",
  "sqlmodel.create_engine",
]);
const SERVED = /^(?:postgres(?:ql)?|mysql|mariadb|oracle|mssql|cockroachdb|clickhouse)(?:\+\w+)?:/;

/**
 * What a call of a package's function takes that no session has; null where that is nothing.
 *
 * @param dotted The function, or a method of the class, as `redis.Redis.from_url`.
 * @param address What it is called with first, where that is written down.
 */
export function reachedBy(dotted: string, address: string | null): Kind | null {
  if (ENGINES.has(dotted)) return address !== null && SERVED.test(address) ? "socket" : null;
  const holder = dotted.slice(0, Math.max(dotted.lastIndexOf("."), 0));
  return KINDS.get(dotted) ?? KINDS.get(holder) ?? null;
}
