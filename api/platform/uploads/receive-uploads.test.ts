import files, { readdir, readFile, readlink } from 'node:fs/promises'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import { MIB } from '#contract/platform/fields.ts'
import { createKyc } from '#contract/people/kyc.ts'
import { anApplicant, aPicture, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { config } = started.services
beforeAll(() => started.app.listen({ host: '127.0.0.1', port: 0 }))

const headerBytes = { 'content-type': 'application/json', 'x-app-id': config.appId }

/** Starts an application whose body the test sends, and returns its response. */
function begin(member: TestMember | undefined, headers: Record<string, string | number> = {}) {
  const { port } = started.app.server.address() as AddressInfo
  const token = member && { 'x-access-token': member.token }
  const sent = request(`http://127.0.0.1:${port}/v2/kyc/create`, {
    method: 'POST',
    agent: false,
    headers: { ...headerBytes, ...token, ...headers },
  })
  sent.flushHeaders()
  return { sent, answer: answerTo(sent) }
}

const answerTo = (sent: ClientRequest) =>
  new Promise<{ status: number; code: string | undefined; retryAfter: string | undefined }>(
    (resolve, reject) => {
      sent.on('error', reject)
      sent.on('response', (answer: IncomingMessage) => {
        let text = ''
        answer.on('data', (part: Buffer) => (text += part.toString()))
        answer.on('end', () => {
          const { code } = JSON.parse(text) as { code?: string }
          resolve({ status: answer.statusCode!, code, retryAfter: answer.headers['retry-after'] })
        })
      })
    },
  )

const bodyOf = async (member: TestMember, photos = 1) => {
  const photoUrls = await Promise.all(Array.from({ length: photos }, () => aPicture()))
  return JSON.stringify({ ...anApplicant(member.email), photoUrls, appId: config.appId })
}

const connections = () =>
  new Promise<number>((resolve) => started.app.server.getConnections((_, count) => resolve(count)))

/** Lists the contents of open, unnamed files in the upload folder. */
async function filesInFlight(): Promise<Buffer[]> {
  const found: Buffer[] = []
  for (const fd of await readdir('/proc/self/fd')) {
    const path = `/proc/self/fd/${fd}`
    const target = await readlink(path).catch(() => '')
    if (target.startsWith(join(config.dataDir, 'uploads'))) found.push(await readFile(path))
  }
  return found
}

describe('a body with files', () => {
  test('is read only with a session, and not if its declared size is too large', async () => {
    expect(await begin(undefined).answer).toMatchObject({ status: 401, code: 'unauthenticated' })
    const member = await aSignedInMember(started)
    const tooLarge = begin(member, { 'content-length': createKyc.bodyBytesMax! + 1 })
    expect(await tooLarge.answer).toMatchObject({ status: 413, code: 'payload_too_large' })
  })

  test('is read up to its limit, and leaves nothing if it breaks off', async () => {
    const member = await aSignedInMember(started)
    const one = begin(member)
    const filler = ' '.repeat(MIB)
    for (let n = 0; n < 2; n += 1) one.sent.write(filler)
    expect(await one.answer).toMatchObject({ status: 413, code: 'payload_too_large' })
    one.sent.destroy()
  })

  test('is the same in chunks or in one piece', async () => {
    for (const pieces of [1, 1000]) {
      const member = await aSignedInMember(started)
      const body = await bodyOf(member, 3)
      const { sent, answer } = begin(member)
      const size = Math.ceil(body.length / pieces)
      for (let at = 0; at < body.length; at += size) sent.write(body.slice(at, at + size))
      sent.end()
      expect(await answer).toMatchObject({ status: 201 })
    }
  })

  test('of another type than JSON is rejected unread', async () => {
    const member = await aSignedInMember(started)
    const { answer } = begin(member, { 'content-type': 'image/jpeg' })
    expect(await answer).toMatchObject({ status: 415, code: 'unsupported_media_type' })
  })

  test('is read in the same way for every spelling of its type', async () => {
    const member = await aSignedInMember(started)
    for (const type of [
      '\u00A0application/json',
      'Application/JSON ;charset=utf-8',
      'application/json\u00A0; a="b"',
    ]) {
      const answer = await started.send({
        method: 'POST',
        url: '/v2/kyc/create',
        headers: { ...headerBytes, 'content-type': type, 'x-access-token': member.token },
        payload: JSON.stringify({ firstName: ' '.repeat(2 * MIB) }),
      })
      expect([type, answer.statusCode]).toEqual([type, 413])
    }
  })

  test('with an invalid type is rejected unread', async () => {
    const member = await aSignedInMember(started)
    for (const type of ['application/json, application/json', 'application', '']) {
      const { sent, answer } = begin(member, { 'content-type': type, 'content-length': 15 * MIB })
      expect(await answer).toMatchObject({ status: 415, code: 'unsupported_media_type' })
      sent.destroy()
    }
  })

  test('is rejected at once without room beside another of its member, until there is room again', async () => {
    const [member, other] = [await aSignedInMember(started), await aSignedInMember(started)]
    const body = await bodyOf(member)
    // If two arrive at once, either may be first.
    const both = [begin(member), begin(member)]
    const [refused, first] = await Promise.race(
      both.map(async (one, n) => [await one.answer, both[1 - n]!] as const),
    )
    expect(refused).toEqual({ status: 429, code: 'rate_limited', retryAfter: '5' })
    first.sent.write(body.slice(0, 100))
    const others = begin(other)
    others.sent.end(await bodyOf(other))
    expect(await others.answer).toMatchObject({ status: 201 })

    first.sent.on('error', () => {})
    first.answer.catch(() => {})
    first.sent.destroy()
    await expect
      .poll(async () => {
        const again = begin(member, { 'content-length': Buffer.byteLength(body) })
        again.sent.end(body)
        return (await again.answer).status
      })
      .toBe(201)
  })

  test('that arrives slowly, or not at all, uses no room for missing bytes', async () => {
    const drips: ClientRequest[] = []
    for (let n = 0; n < 30; n += 8) {
      const member = await aSignedInMember(started)
      for (let each = n; each < Math.min(30, n + 8); each += 1) {
        const { sent, answer } = begin(member, { 'content-length': 15 * MIB })
        sent.write('{"photoUrls":["data:image/jpeg;base64,')
        answer.catch(() => {})
        drips.push(sent)
      }
    }
    await expect.poll(() => connections()).toBeGreaterThanOrEqual(30)
    const other = await aSignedInMember(started)
    const { sent, answer } = begin(other)
    sent.end(await bodyOf(other))
    expect(await answer).toMatchObject({ status: 201 })
    for (const drip of drips) drip.destroy()
    await expect.poll(() => connections()).toBeLessThan(30)
  })

  test('releases its room, whatever happens to it', async () => {
    const member = await aSignedInMember(started)
    const send = (payload: string) =>
      started.send({
        method: 'POST',
        url: '/v2/kyc/create',
        headers: { ...headerBytes, 'x-access-token': member.token },
        payload,
      })
    for (const payload of ['', '{', '[]', '{"photoUrls":["data:image/png;base64,AAAA"]}', '\u0000'])
      for (let n = 0; n < 10; n += 1) expect((await send(payload)).statusCode).toBe(400)
    expect((await send(await bodyOf(member))).statusCode).toBe(201)
  })
})

test.skipIf(process.platform !== 'linux')(
  'stores its files unnamed and encrypted on disk while it arrives, and deletes them afterwards',
  async () => {
    const member = await aSignedInMember(started)
    const photo = await aPicture('png')
    const { sent, answer } = begin(member)
    sent.write(`{"photoUrls":["${photo}","${photo.slice(0, 800)}`)
    await expect.poll(async () => (await filesInFlight()).length).toBe(1)
    expect(await readdir(join(config.dataDir, 'uploads'))).toEqual([])
    const plain = Buffer.from(photo.split(',')[1]!, 'base64')
    await expect.poll(async () => (await filesInFlight())[0]!.length).toBeGreaterThan(plain.length)
    const [file] = await filesInFlight()
    for (let at = 0; at + 12 < plain.length; at += 1)
      expect(file!.includes(plain.subarray(at, at + 12))).toBe(false)

    answer.catch(() => {})
    sent.destroy()
    await expect.poll(async () => (await filesInFlight()).length).toBe(0)
  },
)

test('a disk failure is no bug, and leaves nothing of the application', async () => {
  const member = await aSignedInMember(started)
  const { dataDir } = config
  Object.assign(config, { dataDir: '/dev/null' })
  const refused = await started.call(
    api.createKyc,
    { body: { ...anApplicant(member.email), photoUrls: [await aPicture()] } },
    { token: member.token },
  )
  Object.assign(config, { dataDir })
  expect(refused).toMatchObject({ status: 503, problem: { code: 'unavailable' } })
  expect((await started.call(api.findKyc, { body: {} }, { token: member.token })).body).toEqual([])
})

test.skipIf(process.platform !== 'linux')(
  'a hundred aborted bodies leave no file and use no room',
  async () => {
    const member = await aSignedInMember(started)
    const photo = await aPicture('png')
    for (let n = 0; n < 100; n += 1) {
      const { sent, answer } = begin(member, { 'content-length': 15 * MIB })
      answer.catch(() => {})
      await new Promise<void>((resolve) => sent.write(`{"photoUrls":["${photo}`, () => resolve()))
      sent.destroy()
      if (n % 5 === 4) await expect.poll(() => connections()).toBe(0)
    }
    await expect.poll(async () => (await filesInFlight()).length).toBe(0)
    const { sent, answer } = begin(member)
    sent.end(await bodyOf(member))
    expect(await answer).toMatchObject({ status: 201 })
  },
)

test('a file that does not close affects only itself', async () => {
  const { open } = files
  let closed = 0
  files.open = async (...given) => {
    const handle = await open(...given)
    const close = handle.close.bind(handle)
    handle.close = async () => {
      await close()
      closed += 1
      throw Object.assign(new Error('closed badly'), { code: 'EIO' })
    }
    return handle
  }
  syncBuiltinESMExports()
  const restore = () => {
    files.open = open
    syncBuiltinESMExports()
  }
  onTestFinished(restore)
  const member = await aSignedInMember(started)
  const { sent, answer } = begin(member)
  sent.write(`{"photoUrls":["${await aPicture('png')}`)
  await expect.poll(async () => (await filesInFlight()).length).toBe(1)
  answer.catch(() => {})
  sent.destroy()
  await expect.poll(() => closed).toBe(1)
  restore()
  // By now, an unhandled promise rejection would have ended the process.
  const again = begin(member)
  again.sent.end(await bodyOf(member))
  expect(await again.answer).toMatchObject({ status: 201 })
})
