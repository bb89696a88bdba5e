import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { aMember, anAdmin, aPost, aSignedInMember, goodPassword, proveIdentity } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call } = started
const member = await aMember(started)
const { token } = member
await proveIdentity(started, member)
const writer = await aSignedInMember(started, { manage_news: 2 })
const posted = await call(api.createAnnouncement, { body: aPost() }, { token: writer.token })
const admin = await anAdmin(started)

/**
 * The maximum number of statements per call, including those for its transaction: each costs a round trip, and
 * more CPU time than the rest of the call. Justify each increase.
 */
const most: Record<string, [number, () => Promise<{ status: number }>]> = {
  'own profile': [1, () => call(api.getMember, { params: { id: member.id } }, { token })],
  'own profile, looked for': [1, () => call(api.findMember, { body: { email: member.email } }, { token })],
  'somebody’s profile': [4, () => call(api.getMember, { params: { id: member.id } }, { token: admin.token })],
  // Profiles and posts are changed rarely: one simple way for every change was preferred to few statements.
  'update of a profile': [
    8,
    () =>
      call(
        api.updateMember,
        { body: { id: member.id, displayName: `Name ${performance.now()}` } },
        { token },
      ),
  ],
  'sign-in': [
    2,
    () => call(api.signIn, { body: { email: member.email, password: goodPassword } }, { ip: member.ip }),
  ],
  'wrong password': [
    1,
    () => call(api.signIn, { body: { email: member.email, password: 'wrong' } }, { ip: '203.0.113.1' }),
  ],
  'list of posts': [1, () => call(api.listAnnouncements, { params: { lang: 'en' } })],
  'one post': [2, () => call(api.getPost, { params: { lang: 'en', slug: posted.body.slug } })],
  'a new post': [18, () => call(api.createAnnouncement, { body: aPost() }, { token: writer.token })],
  'an edited post': [
    19,
    () =>
      call(
        api.updateAnnouncement,
        { body: { ...aPost(), title: `A title ${performance.now()}`, _id: posted.body._id } },
        { token: writer.token },
      ),
  ],
  'an order': [
    16,
    () =>
      call(
        api.createOrder,
        { body: { payMethod: 'ETH', amount: '1.5' }, idempotencyKey: `key-${performance.now()}` },
        { token },
      ),
  ],
}

test.each(Object.entries(most))('%s runs a fixed number of statements', async (_, [allowed, run]) => {
  // Fills caches first.
  expect((await run()).status).toBeLessThan(402)
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await run()
    const texts = query.mock.calls.map(([given]) =>
      typeof given === 'string' ? given : (given as { text: string }).text,
    )
    expect(texts.length, texts.join('\n')).toBeLessThanOrEqual(allowed)
  } finally {
    query.mockRestore()
  }
})
