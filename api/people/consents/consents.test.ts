import { afterAll, expect, test } from 'vitest'
import brand from '#content/brand.json' with { type: 'json' }
import { api } from '#contract/api.ts'
import type { Consent } from '#contract/people/consents.ts'
import { anEmail, anOrder, aSignedInMember, goodPassword, signInAs } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, mailsTo, services } = started

const both: Consent[] = [
  { document: 'terms', version: brand.legal.terms },
  { document: 'privacy', version: brand.legal.privacy },
]
const list = (token: string) => call(api.listConsents, {}, { token })
const give = (token: string, consents: Consent[]) =>
  call(api.acceptConsents, { body: { consents } }, { token })

/** Signs up, activates with the newest code and signs in. */
async function join(consents?: Consent[], isCodeRenewed = false): Promise<string> {
  const email = anEmail()
  const body = { email, password: goodPassword, ...(consents ? { consents } : {}) }
  expect((await call(api.createMember, { body }, { ip: '192.0.2.7' })).status).toBe(201)
  if (isCodeRenewed) await call(api.resendActivation, { body: { email } }, { ip: '192.0.2.99' })
  const mail = (await mailsTo(email)).filter(({ kind }) => kind === 'activation').at(-1)!
  const code = /[?&]code=([^&\s]+)/.exec(mail.text)![1]!
  expect((await call(api.activateMember, { params: { email, code } })).body).toBe(true)
  return (await signInAs(started, email, goodPassword, '192.0.2.7')).session.token
}

test.each([false, true])(
  'stores what the sign-up form accepted, with its time and place (code renewed: %s)',
  async (isCodeRenewed) => {
    const token = await join(both, isCodeRenewed)
    const { body } = await list(token)
    expect(body).toMatchObject({ given: both.map((consent) => ({ ...consent, place: 'sign-up' })), due: [] })
    for (const { at } of body.given) expect(Date.now() - Date.parse(at)).toBeLessThan(60_000)
    const { body: exported } = await call(api.exportMember, {}, { token })
    expect(exported['consents']).toMatchObject([{ client: '192.0.2.7' }, { client: '192.0.2.7' }])
  },
)

test('clients that send nothing, or an old version, leave both due', async () => {
  expect((await list(await join())).body).toEqual({ given: [], due: both })
  const old = [{ document: 'terms' as const, version: '2001-01-01' }]
  expect((await list(await join(old))).body).toEqual({ given: [], due: both })
})

test('a password reset that activates accepts nothing for its member', async () => {
  const email = anEmail()
  await call(api.createMember, { body: { email, password: goodPassword, consents: both } })
  await call(api.requestPasswordReset, { body: { email } })
  const mail = (await mailsTo(email)).find(({ kind }) => kind === 'password-reset')!
  const [, id, code] = /change-password\/([^/]+)\/(\S+)/.exec(mail.text)!
  const body = { id: id!, pwdresetcode: code!, passwd: goodPassword }
  expect((await call(api.executePasswordReset, { body })).status).toBe(200)
  const { session } = await signInAs(started, email, goodPassword, '192.0.2.8')
  expect((await list(session.token)).body.due).toEqual(both)
})

test('a new version is due, and accepted once despite retries', async () => {
  const { token, id } = await aSignedInMember(started)
  await services.db
    .insertInto('consent')
    .values({ member_id: id, document: 'terms', version: '2001-01-01', place: 'sign-up' })
    .execute()
  expect((await list(token)).body.due).toEqual(both)
  const answers = await Promise.all([give(token, both), give(token, both), give(token, both)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  const { body } = await list(token)
  expect(body.due).toEqual([])
  expect(body.given.map(({ version, place }) => [version, place])).toEqual([
    ['2001-01-01', 'sign-up'],
    [brand.legal.terms, 'account'],
    [brand.legal.privacy, 'account'],
  ])
})

test('accepting an outdated version is a conflict that stores nothing', async () => {
  const { token } = await aSignedInMember(started)
  const refused = await give(token, [both[0]!, { document: 'privacy', version: '2001-01-01' }])
  expect(refused.problem.code).toBe('conflict')
  expect((await list(token)).body.given).toEqual([])
  for (const [consents, path] of [
    [[], 'consents'],
    [[{ document: 'cookies', version: '1' }], 'consents.0.document'],
    [[{ document: 'terms', version: '' }], 'consents.0.version'],
  ] as const)
    expect((await give(token, consents as unknown as Consent[])).problem.errors).toEqual([
      expect.objectContaining({ path }),
    ])
})

test('recorded consents cannot change', async () => {
  const { token, id } = await aSignedInMember(started)
  await give(token, both)
  const change = services.db.updateTable('consent').set({ version: 'x' }).where('member_id', '=', id)
  await expect(change.execute()).rejects.toThrow('never changed')
})

test('erasure deletes consents except those that orders rely on', async () => {
  const countOf = async (id: string) =>
    (await services.db.selectFrom('consent').select('id').where('member_id', '=', id).execute()).length
  for (const hasOrder of [false, true]) {
    const member = await aSignedInMember(started)
    await give(member.token, both)
    if (hasOrder) await anOrder(started, member.id)
    const preview = await call(api.previewErasure, {}, { token: member.token })
    expect(preview.body.erased.includes('consents')).toBe(!hasOrder)
    const { body } = await call(
      api.eraseMember,
      { body: { current: member.password } },
      { token: member.token },
    )
    expect(body.kept.map(({ what }) => what)).toEqual(hasOrder ? ['orders', 'consents'] : [])
    expect(await countOf(member.id)).toBe(hasOrder ? 2 : 0)
  }
})
