import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A mail that has arrived. */
export interface ArrivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** Headers and body as they came, line ends as `\n`. */
  readonly source: string
  /** Header by its name in small letters, unfolded and decoded. */
  readonly headers: Readonly<Record<string, string>>
  /** The plain text, decoded. */
  readonly text: string
}

export interface SmtpServer {
  /** `smtp://127.0.0.1:port` */
  readonly url: string
  /** All mail that was accepted so far, the first first. */
  mails(): readonly ArrivedMail[]
  /** Attempts to hand over a mail so far, refused ones too. */
  attempts(): number
  /** Answers the next mails so after their data, in this order: `451 try later`, or `hang up`. */
  refuse(...replies: readonly string[]): void
  /** Resolves when so many mails have been accepted. */
  arrived(count: number): Promise<readonly ArrivedMail[]>
  close(): Promise<void>
}

/** A mail server on 127.0.0.1 as far as our sender needs one: no TLS, no password. */
export async function startSmtpServer(): Promise<SmtpServer> {
  const mails: ArrivedMail[] = []
  const replies: string[] = []
  const sockets = new Set<Socket>()
  const waiting = new Set<() => void>()
  let attempts = 0

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // Who hangs up in the middle is no business of the test's.
    socket.on('error', () => undefined)
    converse(socket, (mail) => {
      attempts += 1
      const reply = replies.shift()
      if (reply === 'hang up') socket.destroy()
      else if (reply === undefined) {
        mails.push(mail)
        for (const look of waiting) look()
      }
      return reply ?? '250 taken'
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails: () => mails,
    attempts: () => attempts,
    refuse: (...more) => replies.push(...more),
    arrived: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (mails.length < count) return
          waiting.delete(look)
          resolve(mails)
        }
        waiting.add(look)
        look()
      }),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

/** Speaks RFC 5321 with one client; `take` answers each mail. */
function converse(socket: Socket, take: (mail: ArrivedMail) => string): void {
  let buffer = ''
  let from = ''
  let to: string[] = []
  let isData = false
  const say = (line: string): void => {
    if (!socket.destroyed) socket.write(`${line}\r\n`)
  }
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    buffer += chunk
    for (;;) {
      if (isData) {
        const end = buffer.indexOf('\r\n.\r\n')
        if (end < 0) return
        const source = buffer.slice(0, end).replaceAll('\r\n', '\n').replaceAll('\n..', '\n.')
        buffer = buffer.slice(end + 5)
        isData = false
        say(take(readMail(from, to, source)))
        continue
      }
      const end = buffer.indexOf('\r\n')
      if (end < 0) return
      const line = buffer.slice(0, end)
      buffer = buffer.slice(end + 2)
      const verb = line.slice(0, 4).toUpperCase()
      if (verb === 'MAIL') {
        from = addressIn(line)
        to = []
      }
      if (verb === 'RCPT') to.push(addressIn(line))
      isData = verb === 'DATA'
      if (isData) say('354 go on')
      else if (verb === 'QUIT') {
        say('221 bye')
        socket.end()
      } else say('250 ok')
    }
  })
  say('220 test')
}

function addressIn(line: string): string {
  return /<(.*?)>/.exec(line)?.[1] ?? ''
}

function readMail(from: string, to: readonly string[], source: string): ArrivedMail {
  const [head = '', ...rest] = source.split('\n\n')
  const headers = readHeaders(head)
  return { from, to, source, headers, text: textOf(headers, rest.join('\n\n')) }
}

function readHeaders(head: string): Record<string, string> {
  const lines = head.replace(/\n[ \t]+/g, ' ').split('\n')
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim())]
    }),
  )
}

/** Encoded words of RFC 2047. */
function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?(.*?)\?=/gi, (_, encoding: string, words: string) =>
      encoding.toLowerCase() === 'b'
        ? Buffer.from(words, 'base64').toString('utf8')
        : decodeQuoted(words.replaceAll('_', ' ')),
    )
}

/** The body, or of one with several parts the first, which is the plain one. */
function textOf(headers: Readonly<Record<string, string>>, body: string): string {
  const boundary = /boundary="?([^";]+)/.exec(headers['content-type'] ?? '')?.[1]
  if (boundary !== undefined) {
    const [, first = ''] = body.split(`--${boundary}\n`)
    const [head = '', ...rest] = first.split('\n\n')
    return textOf(readHeaders(head), rest.join('\n\n').split(`\n--${boundary}`)[0] ?? '')
  }
  const encoding = headers['content-transfer-encoding']
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  return encoding === 'quoted-printable' ? decodeQuoted(body.replaceAll('=\n', '')) : body
}

function decodeQuoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
