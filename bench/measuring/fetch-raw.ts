import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'

export type Raw = { type: string; encoding: string | undefined; body: Buffer }

/** Fetches the exact bytes that a server sends to a browser. */
export async function fetchRaw(address: URL, headers: Record<string, string>): Promise<Raw> {
  const [answer] = (await once(get(address, { headers }), 'response')) as [IncomingMessage]
  const body = Buffer.concat((await answer.toArray()) as Buffer[])
  if (answer.statusCode !== 200) throw new Error(`${address.pathname} was answered ${answer.statusCode}`)
  const { 'content-type': type = '', 'content-encoding': encoding } = answer.headers
  return { type, encoding, body }
}
