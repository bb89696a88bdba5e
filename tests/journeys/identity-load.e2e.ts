import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#api/db/database.ts'
import { makePasswordHasher } from '#api/password-hasher.ts'
import { defaultAppId } from '#contract/apps.ts'
import { MIB } from '#contract/fields.ts'
import { createKyc } from '#contract/kyc.ts'
import { anApplicant, aSignedInMember, type TestMember } from '#tests/builders.ts'
import type { TestApi } from '#tests/setup/start-api.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'

const metricsToken = 'a token of this test'
const parallel = 8
/** However large they are: a fifth of what the large ones would be in memory at once. */
const growthMax = 128 * MIB

/** The built product with half a gibibyte, and signed-in members: one more than applications come at once. */
async function startSmall() {
  const product = await startOnCopy({
    DEMO: 'off',
    METRICS_TOKEN: metricsToken,
    NODE_OPTIONS: '--max-old-space-size=400',
  })
  onTestFinished(async () => void (await product.stop()))
  const db = openDatabase(product.databaseUrl, () => {})
  const config = { isStaffSecondFactorRequired: false }
  const api = { services: { db, config, passwords: await makePasswordHasher() } } as TestApi
  const members: TestMember[] = []
  for (let n = 0; n <= parallel; n += 1) members.push(await aSignedInMember(api))
  await db.destroy()
  return { product, members }
}

/** A photo of a camera: noise, which no format makes small. */
const aPhotoOf = (width: number, height: number, quality: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 50 },
    },
  })
    .jpeg({ quality })
    .toBuffer()

/** Bytes of memory of the program: now, or the most that there ever were. */
const memoryOf = ({ process }: Product, what: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${what}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${process.pid}/status`, 'utf8'))?.[1]) *
  1024

/** Hundredths of a second of a processor that the program has used (fields 14 and 15 of `man 5 proc_pid_stat`). */
const usedBy = ({ process }: Product): number => {
  const stat = readFileSync(`/proc/${process.pid}/stat`, 'utf8')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return user! + system!
}

/** Until it has prepared its pages and put in order what it leaves; from then on the most memory is counted anew. */
async function comeToRest(product: Product): Promise<void> {
  for (let used = -1; usedBy(product) - used > 5;) {
    used = usedBy(product)
    await pause(1000)
  }
  writeFileSync(`/proc/${product.process.pid}/clear_refs`, '5')
}

/** The longest time, in milliseconds, that the program's event loop was held since the last look. */
async function longestHold({ url }: Product): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await answer.text())?.[1]) * 1000
}

/** Sends the application as a client does that has the whole of it at hand. Resolves with the status of the answer. */
const hand = (product: Product, { token }: TestMember, body: Buffer): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(`${product.url}/v2/kyc/create`, {
      method: 'POST',
      agent: false,
      headers: {
        'content-type': 'application/json',
        'content-length': body.length,
        'x-app-id': defaultAppId,
        'x-access-token': token,
      },
    })
    sent.on('response', (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end(body)
  })

/** Those who are refused are told to come again; nobody else may notice any of it. */
test.for([
  { megabytes: 15, width: 2000, height: 1500, quality: 80 },
  { megabytes: 84, width: 4000, height: 3000, quality: 88 },
])(
  'eight applications of $megabytes MB at once hold nobody up and leave the program small',
  { timeout: 600_000 },
  async ({ megabytes, width, height, quality }) => {
    const { product, members } = await startSmall()
    const [first, ...others] = members
    const photo = await aPhotoOf(width, height, quality)
    const dataUrl = `data:image/jpeg;base64,${photo.toString('base64')}`
    const application = { ...anApplicant('somebody@example.org'), photoUrls: Array(8).fill(dataUrl) }
    const body = Buffer.from(JSON.stringify(application))
    expect(body.length / 1e6).toBeGreaterThan(megabytes)
    expect(body.length).toBeLessThan(createKyc.bodyBytesMax!)
    expect(await hand(product, first!, Buffer.from('{}'))).toBe(400)
    // What a single one leaves, such as modules that it is the first to need, is no matter of how many come at once.
    expect(await hand(product, first!, body)).toBe(201)
    await comeToRest(product)
    await longestHold(product)
    const before = memoryOf(product, 'VmRSS')

    const statuses = await Promise.all(others.map((member) => hand(product, member, body)))
    const held = await longestHold(product)
    const [peak, after] = [memoryOf(product, 'VmHWM'), memoryOf(product, 'VmRSS')]
    if (process.env['TELL_MEMORY']) console.log({ statuses, held, before, peak, after })
    expect(statuses.filter((status) => status !== 201 && status !== 429)).toEqual([])
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(4)
    expect(held).toBeLessThan(500)
    expect(peak - before).toBeLessThan(growthMax)
    expect(peak).toBeLessThan(512 * MIB)
  },
)
