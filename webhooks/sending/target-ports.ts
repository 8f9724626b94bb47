/** Ports below 1024 where HTTP lives; all others there belong to older services. */
const WEB_PORTS: readonly number[] = [80, 443]

const FIRST_FREE_PORT = 1024

/**
 * Ports from 1024 on where something else than a receiver answers, and which an HTTP request with a body of
 * the caller's choice could harm. None is of the range from which systems give out ports (32768 and above).
 */
const SERVICE_PORTS: Readonly<Record<string, readonly number[]>> = {
  'a database': [
    1433, 1434, 1521, 3050, 3306, 5432, 5433, 5984, 7474, 7687, 8086, 8529, 9042, 9160,
  ],
  'a document or search database': [9200, 9300, 27017, 27018, 27019, 28015, 29015],
  'a cache': [6379, 6380, 11211, 16379, 26379],
  'a message broker': [1883, 4222, 5671, 5672, 8883, 9092, 9093],
  'a mail server': [1025, 2525, 4190],
  'a coordination service': [2181, 2379, 2380, 4001, 8300, 8301, 8500, 8600],
  'a container or cluster control': [2375, 2376, 2377, 4243, 6443, 10250, 10255],
  'a secret store': [8200, 8201],
  'a proxy': [1080, 3128, 9050, 9051, 9150],
  'a remote desktop or shell': [2222, 3389, 4369, 5900, 5901, 5902, 5903, 5985, 5986],
  'the X window system': Array.from({ length: 64 }, (_, screen) => 6000 + screen),
  'a printer': [6566, 9100],
  // "Bad ports" of the Fetch standard, which no browser calls either.
  'another protocol than HTTP': [
    1719, 1720, 1723, 2049, 3659, 4045, 5060, 5061, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
  ],
}

const SERVICE_OF_PORT: ReadonlyMap<number, string> = new Map(
  Object.entries(SERVICE_PORTS).flatMap(([service, ports]) =>
    ports.map((port) => [port, service] as const),
  ),
)

/** Reason why a webhook may not call this port, whatever the host; undefined when it may. */
export function portProblem(port: number): string | undefined {
  const expected = `expected port ${WEB_PORTS.join(', ')} or one from ${FIRST_FREE_PORT} on`
  if (port < FIRST_FREE_PORT) {
    return WEB_PORTS.includes(port) ? undefined : `${expected}, got ${port}`
  }
  const service = SERVICE_OF_PORT.get(port)
  return service === undefined
    ? undefined
    : `${expected}, got ${port}, which is the port of ${service}; let the receiver listen on another`
}
