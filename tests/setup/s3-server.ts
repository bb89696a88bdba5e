import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'

export type S3Server = {
  url: string
  objects: Map<string, Buffer>
  answers: number[]
  close(): Promise<void>
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')
const encode = (text: string) =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/**
 * The part of S3 that the product uses, in memory. Recomputes each signature (AWS Signature Version 4) and rejects
 * wrong ones.
 */
export async function startS3Server(accessKeyId = 'KEY', secret = 'SECRET'): Promise<S3Server> {
  const objects = new Map<string, Buffer>()
  const answers: number[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const [status, bytes] = answer(request, Buffer.concat(chunks))
      answers.push(status)
      response.writeHead(status, { 'content-type': 'application/octet-stream', etag: '"1"' }).end(bytes)
    })
  })

  function answer(request: IncomingMessage, body: Buffer): [number, Buffer?] {
    if (!isSigned(request, body, accessKeyId, secret))
      return [403, Buffer.from('<Error><Code>SignatureDoesNotMatch</Code></Error>')]
    const key = decodeURIComponent(new URL(request.url!, 'http://x').pathname)
    const { searchParams } = new URL(request.url!, 'http://x')
    if (searchParams.has('list-type')) return [200, listed(searchParams.get('prefix') ?? '')]
    if (request.method === 'PUT') return (objects.set(key, body), [200])
    if (request.method === 'DELETE') return (objects.delete(key), [204])
    const found = objects.get(key)
    return found ? [200, found] : [404, Buffer.from('<Error><Code>NoSuchKey</Code></Error>')]
  }

  function listed(prefix: string): Buffer {
    const keys = [...objects.keys()].map((path) => path.replace(/^\/documents\//, ''))
    const found = keys.filter((key) => key.startsWith(prefix))
    const contents = found.map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`)
    return Buffer.from(`<ListBucketResult>${contents.join('')}</ListBucketResult>`)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.address() as { port: number }
  return {
    url: `http://${accessKeyId}:${secret}@127.0.0.1:${port}/documents?region=auto`,
    objects,
    answers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function isSigned(request: IncomingMessage, body: Buffer, accessKeyId: string, secret: string): boolean {
  const { authorization = '' } = request.headers
  const [, credential = '', names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      authorization,
    ) ?? []
  const [id, date = '', region = '', service = '', end] = credential.split('/')
  if (id !== accessKeyId || end !== 'aws4_request' || !names.split(';').includes('host')) return false
  const header = (name: string) => String(request.headers[name] ?? '').trim()
  const payload = header('x-amz-content-sha256')
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(body)) return false
  const url = new URL(request.url!, 'http://x')
  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).toSorted()
  const canonical = [
    request.method,
    url.pathname,
    query.join('&'),
    ...names.split(';').map((name) => `${name}:${header(name)}`),
    '',
    names,
    payload,
  ].join('\n')
  const scope = [date, region, service, end].join('/')
  const toSign = ['AWS4-HMAC-SHA256', header('x-amz-date'), scope, sha256(canonical)].join('\n')
  const key = [date, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`)
  return hmac(key, toSign).toString('hex') === signature
}
