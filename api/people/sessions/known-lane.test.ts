import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aMember, anEmail, goodPassword } from '#tests/builders.ts'
import { hashAsInProduction, startApi } from '#tests/setup/start-api.ts'

/** Sends many concurrent requests; `isFull` when the first of them is refused for lack of room. */
function flood(ask: (n: number) => Promise<{ status: number }>, count: number) {
  let sayFull = () => {}
  const refused = new Promise<void>((resolve) => (sayFull = resolve))
  const all = Promise.all(
    Array.from({ length: count }, async (_, n) => {
      if ((await ask(n)).status === 503) sayFull()
    }),
  )
  return { all, isFull: Promise.race([refused, all]) }
}

test(
  'many concurrent sign-ins with a correct password block no other known member',
  { tags: ['nightly'] },
  async () => {
    const started = await startApi()
    const accounts = [await aMember(started)]
    while (accounts.length < 8) accounts.push(await aMember(started))
    const other = await aMember(started)
    await hashAsInProduction(started)
    const signIn = ({ email, cookies }: typeof other, ip: string) =>
      started.call(
        api.signIn,
        { body: { email, password: goodPassword } },
        { ip, cookies: { device: cookies['device']! } },
      )
    const ip = '203.0.113.9'
    const busy = flood((n) => signIn(accounts[n % accounts.length]!, ip), 10 * accounts.length)
    await busy.isFull
    expect((await signIn(other, other.ip)).status).toBe(200)
    await busy.all
  },
)

test("many concurrent sign-ups block nobody else's", { tags: ['nightly'] }, async () => {
  const started = await startApi()
  await hashAsInProduction(started)
  const signUp = (ip: string) =>
    started.call(api.createMember, { body: { email: anEmail(), password: goodPassword } }, { ip })
  const busy = flood(() => signUp('203.0.113.10'), 90)
  await busy.isFull
  expect((await signUp('198.51.100.10')).status).toBe(201)
  await busy.all
})
