import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { requestIdHeader } from './request-id.ts'

const statuses: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
}

/** Answers requests that can't be parsed or arrive too slowly: the framework's hooks do not see them. */
export function answerUnreadable(error: { code?: string } & Error, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const status = statuses[error.code ?? ''] ?? 400
  const body = JSON.stringify({ error: STATUS_CODES[status], statusCode: status })
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `${requestIdHeader}: ${randomUUID()}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  if (socket.writable) socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
  socket.destroy(error)
}
