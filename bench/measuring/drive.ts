import { connect, type Socket } from 'node:net'

export type Asked = { method?: string; path: string; headers?: Record<string, string>; body?: string }

/** The result of sending requests: how many got the expected response, and how long it took until the last one. */
type Driven = {
  requests: number
  seconds: number
  bytes: number
  /** The number of responses by status that are errors or redirects. */
  wrong: Map<number, number>
}

/** The bytes of a request, created once for requests that are repeated. */
export function onWire(url: URL, { method = 'GET', path, headers = {}, body }: Asked): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${url.host}`]
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (body !== undefined)
    lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`)
}

/**
 * Sends the next request on each connection as soon as the previous one is answered, until the time is over. An HTTP
 * client library would cost more per request than nginx and distort the measurement; this client takes a few
 * microseconds.
 */
export async function drive(
  url: URL,
  next: () => Buffer,
  { seconds, connections = 16 }: { seconds: number; connections?: number },
): Promise<Driven> {
  const driven: Driven = { requests: 0, seconds: 0, bytes: 0, wrong: new Map() }
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(url)))
  const begun = performance.now()
  const until = begun + seconds * 1000
  await Promise.all(sockets.map((socket) => askUntil(socket, next, until, driven)))
  driven.seconds = (performance.now() - begun) / 1000
  return driven
}

const open = (url: URL): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: url.hostname, port: Number(url.port || 80), noDelay: true })
    socket.once('error', reject)
    socket.once('connect', () => resolve(socket))
  })

/** Called for each response with its status and the number of bytes of headers and body. */
type Answered = (status: number, bytes: number) => void

type State = 'head' | 'body' | 'size' | 'chunk' | 'trailer'

const endOfHead = '\r\n\r\n'

/**
 * Reads the responses of one HTTP connection, one after the other. It only finds where each response ends, because a
 * client that does more would cost as much as the servers that it measures.
 */
export function makeAnswerReader(onAnswer: Answered): (bytes: Buffer) => void {
  let state: State = 'head'
  let status = 0
  let size = 0
  /** Remaining bytes of the body, or of the chunk including its line end. */
  let missing = 0
  let rest: Buffer | undefined

  function finish(): void {
    state = 'head'
    if (status >= 200) onAnswer(status, size)
    size = 0
  }

  function readHead(head: string): void {
    status = Number(head.slice(9, 12))
    const hasNoBody = status < 200 || status === 204 || status === 304
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    missing = Number(length ?? 0)
    if (hasNoBody || (length !== undefined && missing === 0)) finish()
    else if (length !== undefined) state = 'body'
    else if (/\r\ntransfer-encoding: *chunked/i.test(head)) state = 'size'
    else throw new Error(`an answer without a length: ${head.split('\r\n')[0]}`)
  }

  function readSize(line: string): void {
    const bytes = Number.parseInt(line, 16)
    if (Number.isNaN(bytes)) throw new Error(`a chunk of size ${line}`)
    missing = bytes + 2
    state = bytes === 0 ? 'trailer' : 'chunk'
  }

  /** Returns the position after the end marker, or undefined if it has not arrived yet. */
  function takeLine(bytes: Buffer, from: number, mark: string): number | undefined {
    const at = bytes.indexOf(mark, from, 'latin1')
    return at < 0 ? undefined : at + mark.length
  }

  return (given) => {
    const bytes = rest ? Buffer.concat([rest, given]) : given
    rest = undefined
    let at = 0
    while (at < bytes.length) {
      if (state === 'body' || state === 'chunk') {
        const taken = Math.min(missing, bytes.length - at)
        at += taken
        size += taken
        missing -= taken
        if (missing > 0) return
        if (state === 'body') finish()
        else state = 'size'
        continue
      }
      const end = takeLine(bytes, at, state === 'head' ? endOfHead : '\r\n')
      if (end === undefined) {
        rest = bytes.subarray(at)
        return
      }
      const line = bytes.toString('latin1', at, end)
      at = end
      size += line.length
      if (state === 'head') readHead(line)
      else if (state === 'size') readSize(line)
      // Trailers are lines, and the last one is empty.
      else if (line === '\r\n') finish()
    }
  }
}

function askUntil(socket: Socket, next: () => Buffer, until: number, driven: Driven): Promise<void> {
  return new Promise((resolve, reject) => {
    let isDone = false
    const read = makeAnswerReader((status, bytes) => {
      driven.bytes += bytes
      if (isRight(status)) driven.requests += 1
      else driven.wrong.set(status, (driven.wrong.get(status) ?? 0) + 1)
      isDone = performance.now() >= until
      if (!isDone) socket.write(next())
      else {
        socket.destroy()
        resolve()
      }
    })
    const fail = (error: Error) => {
      socket.destroy()
      reject(error)
    }
    socket.on('error', fail)
    socket.on('close', () => isDone || fail(new Error('the server closed the connection')))
    socket.on('data', (bytes: Buffer) => {
      try {
        read(bytes)
      } catch (error) {
        fail(error as Error)
      }
    })
    socket.write(next())
  })
}

const isRight = (status: number): boolean => status < 300 || status === 304

/** On a busy machine some requests wait too long and are rejected. Above this fraction, there is no result. */
const wrongMax = 0.1

export function requireAnswered({ requests, wrong }: Driven, what: string): void {
  const count = [...wrong.values()].reduce((sum, each) => sum + each, 0)
  if (count <= wrongMax * requests) return
  const counts = [...wrong].map(([status, times]) => `${times} times ${status}`).join(', ')
  throw new Error(`${what} was answered ${counts}, and ${requests} times as it should be`)
}
