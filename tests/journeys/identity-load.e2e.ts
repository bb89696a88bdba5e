import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#api/platform/db/database.ts'
import { makePasswordHasher } from '#api/platform/password-hasher.ts'
import { defaultAppId } from '#contract/people/apps.ts'
import { MIB } from '#contract/platform/fields.ts'
import { createKyc } from '#contract/people/kyc.ts'
import { anApplicant, aSignedInMember, type TestMember } from '#tests/builders.ts'
import type { TestApi } from '#tests/setup/start-api.ts'
import { startOnCopy, type Product } from '#tests/setup/start-product.ts'

const metricsToken = 'a token of this test'
const parallel = 8
/** Independent of their size: a fifth of the memory that the large ones would need at once. */
const growthMax = 128 * MIB

/**
 * The built product with 512 MiB of memory, and signed-in members: one more than the number of concurrent applications.
 */
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

/** A camera photo: noise, which no format compresses well. */
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

/** Memory of the program in bytes: the current or the peak value. */
const memoryOf = ({ process }: Product, what: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${what}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${process.pid}/status`, 'utf8'))?.[1]) *
  1024

/** Processor time of the program in hundredths of a second (fields 14 and 15 of `man 5 proc_pid_stat`). */
const usedBy = ({ process }: Product): number => {
  const stat = readFileSync(`/proc/${process.pid}/stat`, 'utf8')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return user! + system!
}

/** Waits until the program has prepared its pages and finished its cleanup, then resets the peak memory value. */
async function comeToRest(product: Product): Promise<void> {
  for (let used = -1; usedBy(product) - used > 5;) {
    used = usedBy(product)
    await pause(1000)
  }
  writeFileSync(`/proc/${product.process.pid}/clear_refs`, '5')
}

/** Returns the longest time, in milliseconds, for which the program's event loop was blocked since the last call. */
async function longestHold({ url }: Product): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await answer.text())?.[1]) * 1000
}

/** Sends the whole application at once. Resolves to the status of the response. */
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

/** Rejected applicants are told to retry later. Other visitors must not notice anything. */
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
    // The effect of a single application, such as loading modules for the first time, does not depend on concurrency.
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
