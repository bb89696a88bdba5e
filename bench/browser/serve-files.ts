import { createServer, type ServerResponse } from 'node:http'
import { brotliCompressSync } from 'node:zlib'
import { fetchRaw, type Raw } from '../measuring/fetch-raw.ts'

/** Serves a page, and the same files as the product under every other path, from a server that does nothing else. */
export async function serveFiles(origin: string, html: string) {
  const page: Raw = { type: 'text/html; charset=utf-8', encoding: 'br', body: brotliCompressSync(html) }
  const kept = new Map<string, Promise<Raw>>([['/', Promise.resolve(page)]])
  const find = (address: string): Promise<Raw> => {
    const known = kept.get(address) ?? fetchRaw(new URL(address, origin), { 'accept-encoding': 'br' })
    kept.set(address, known)
    return known
  }
  const server = createServer((request, reply) => {
    find(request.url ?? '/').then(
      (file) => send(reply, file),
      () => reply.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('no port')
  return { url: `http://localhost:${address.port}/`, close: () => void server.close() }
}

const send = (reply: ServerResponse, { type, encoding, body }: Raw) =>
  reply
    .writeHead(200, {
      'content-type': type,
      'content-length': body.length,
      ...(encoding !== undefined && { 'content-encoding': encoding }),
    })
    .end(body)
