import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { anApplicant, aPicture, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({ TRUST_PROXY: '127.0.0.1' }, afterAll)
const { config } = started.services
beforeAll(() => started.app.listen({ host: '127.0.0.1', port: 0 }))

function begin({ token }: TestMember, client: string, contentLength?: number) {
  const { port } = started.app.server.address() as AddressInfo
  const sent = request(`http://127.0.0.1:${port}/v2/kyc/create`, {
    method: 'POST',
    agent: false,
    headers: {
      'content-type': 'application/json',
      'x-app-id': config.appId,
      'x-access-token': token,
      'x-forwarded-for': client,
      ...(contentLength !== undefined && { 'content-length': contentLength }),
    },
  })
  const answer = new Promise<Answer>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', (got: IncomingMessage) => {
      json(got).then((body) => {
        const { code } = body as { code?: string }
        resolve({ status: got.statusCode!, code, retryAfter: got.headers['retry-after'] })
      }, reject)
    })
  })
  return { sent, answer }
}

type Answer = { status: number; code: string | undefined; retryAfter: string | undefined }
type Held = { sent: ClientRequest; answer: Answer | undefined }

/** Bodies that have started and stall, and the responses in the meantime. */
async function hold(member: TestMember, client: string, count: number): Promise<Held[]> {
  const all: Held[] = []
  for (let n = 0; n < count; n += 1) {
    const { sent, answer } = begin(member, client, 14_000_000)
    sent.write('{"photoUrls":["data:image/jpeg;base64,')
    const held: Held = { sent, answer: undefined }
    answer.then(
      (got) => (held.answer = got),
      () => {},
    )
    all.push(held)
  }
  onTestFinished(() => all.forEach(({ sent }) => sent.destroy()))
  return all
}

async function apply(client: string): Promise<number> {
  const member = await aSignedInMember(started)
  const body = JSON.stringify({
    ...anApplicant(member.email),
    photoUrls: [await aPicture()],
    appId: config.appId,
  })
  const { sent, answer } = begin(member, client, Buffer.byteLength(body))
  sent.end(body)
  return (await answer).status
}

const refusals = (held: readonly Held[]) => held.flatMap(({ answer }) => answer ?? [])
/** Members can hold eight bodies each, and clients 32. */
const holdAll = async (client: string) => {
  const all: Held[] = []
  for (let n = 0; n < 4; n += 1) all.push(...(await hold(await aSignedInMember(started), client, 8)))
  return all
}
const connections = () =>
  new Promise<number>((resolve) => started.app.server.getConnections((_, count) => resolve(count)))

test('members who use a client’s whole share block none of its other members', async () => {
  const held = await holdAll('203.0.113.1')
  await expect.poll(connections).toBe(32)
  // The server may not have started reading all of them when the first one applies.
  const applyAgain = async () => {
    expect(await apply('203.0.113.1')).toBe(201)
    return refusals(held)
  }
  await expect.poll(applyAgain).toEqual([{ status: 429, code: 'rate_limited', retryAfter: '5' }])
})

test('clients who use everything block no other client', async () => {
  await expect.poll(connections).toBe(0)
  const held: Held[] = []
  for (let n = 1; n <= 8; n += 1) held.push(...(await holdAll(`198.51.100.${n}`)))
  await expect.poll(connections).toBe(256)
  expect(refusals(held)).toEqual([])
  const applyAgain = async () => {
    for (let n = 1; n <= 3; n += 1) expect(await apply(`203.0.113.${n}`)).toBe(201)
    return refusals(held)
  }
  await expect.poll(applyAgain).toEqual([{ status: 503, code: 'unavailable', retryAfter: '5' }])
})
