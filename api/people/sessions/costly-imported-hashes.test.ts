import { hashSync } from '@node-rs/bcrypt'
import { expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anEmail, anIp, aSignedInMember } from '#tests/builders.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { importFiles } from '../../integrations/imports/import-files.ts'

const clients = 20
const cost = 11
const password = 'a password of the earlier site'

async function importMember({ services }: TestApi): Promise<string> {
  const email = anEmail()
  const passwordHash = hashSync(password, cost)
  const line = JSON.stringify({ _id: '5b0e1f000000000000000001', email, passwordHash })
  const options = { isDry: false, withRights: false, skipped: [] }
  await importFiles(services, { files: { members: Buffer.from(line) }, ...options })
  return email
}

const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

test(
  'a correct sign-in is not delayed by clients that keep guessing when imported hashes are costly',
  { tags: ['nightly'] },
  async () => {
    const started = await startApi()
    await importMember(started)
    const members = [await aSignedInMember(started), await aSignedInMember(started)]
    const signIn = (email: string, given: string, ip: string) =>
      started.call(api.signIn, { body: { email, password: given } }, { ip })
    // Costs the same as every sign-in until the imported member has signed in.
    const alone = await timeOf(() => signIn(anEmail(), 'a wrong password', anIp()))

    let isOver = false
    let tries = 0
    const guessing = Array.from({ length: clients }, async () => {
      const ip = anIp()
      while (!isOver) {
        await signIn(anEmail(), 'a wrong password', ip)
        tries += 1
      }
    })
    onTestFinished(() => void (isOver = true))
    await expect.poll(() => tries, { timeout: 120_000 }).toBeGreaterThan(clients)

    const waits: number[] = []
    for (const { email, password } of members)
      waits.push(await timeOf(async () => expect((await signIn(email, password, anIp())).status).toBe(200)))
    isOver = true
    await Promise.all(guessing)
    console.log(
      `alone ${Math.round(alone)} ms, among ${clients} clients ${waits.map(Math.round).join(', ')} ms`,
    )
    // Waits for the running hash, and then for its own beside another one.
    expect(Math.max(...waits)).toBeLessThan(6 * alone)
  },
)
