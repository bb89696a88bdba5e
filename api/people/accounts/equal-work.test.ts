import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { anEmail, aSignedInMember, goodPassword, signUp } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, services } = started

const known: Record<string, string> = {}
beforeAll(async () => {
  known['active'] = (await aSignedInMember(started)).email
  known['waiting for activation'] = anEmail()
  await signUp(started, known['waiting for activation'])
  known['signed up twice'] = anEmail()
  for (const password of [goodPassword, 'another good password'])
    await signUp(started, known['signed up twice'], password)
  const { id, email } = await aSignedInMember(started)
  const closed = { active: false, closed_at: new Date() }
  await services.db.updateTable('member').set(closed).where('id', '=', id).execute()
  known['closed by staff'] = email
  for (const confirmed_at of [null, new Date()]) {
    const email = anEmail()
    known[confirmed_at ? 'with a confirmed reminder' : 'with a pending reminder'] = email
    await services.db.insertInto('sale_reminder').values({ email, language: 'en', confirmed_at }).execute()
  }
})

let client = 0
const elsewhere = () => ({ ip: `172.17.${(client += 1) >> 8}.${client & 255}` })

type Run = () => Promise<{ status: number }>

const asks: Record<string, (email: string) => Run | Promise<Run>> = {
  'signing in': (email) => () => call(api.signIn, { body: { email, password: 'wrong' } }, elsewhere()),
  'signing up': (email) => () =>
    call(api.createMember, { body: { email, password: goodPassword } }, elsewhere()),
  'asking for another activation code': (email) => () =>
    call(api.resendActivation, { body: { email } }, elsewhere()),
  'asking for a reset': (email) => () => call(api.requestPasswordReset, { body: { email } }, elsewhere()),
  'changing to the address': async (email) => {
    const { id, token } = await aSignedInMember(started)
    return () => call(api.updateMember, { body: { id, email } }, { token })
  },
  'applying as an ambassador': (email) => () => {
    const body = { email, fullName: 'Sample Applicant', city: 'Oslo', country: 'Norway' }
    return call(api.applyAsAmbassador, { body }, elsewhere())
  },
  'asking for a sale reminder': (email) => () =>
    call(api.requestSaleReminder, { body: { email, language: 'en' } }, elsewhere()),
}

/** The writes per table, and the total number of statements. */
async function workOf(run: Run): Promise<Record<string, number>> {
  await services.db.deleteFrom('throttle').execute()
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    expect((await run()).status).toBeLessThan(500)
    const texts = query.mock.calls.map(([first]) => textOf(first))
    const work: Record<string, number> = { statements: texts.length }
    for (const text of texts) {
      const [, verb, table] = /^(insert into|update|delete from) "(\w+)"/.exec(text) ?? []
      // Codes to activate a sign-up, or to choose a password.
      const name = table && `${verb} ${table.replace(/^(sign_up|reset_code)$/, 'code')}`
      if (name) work[name] = (work[name] ?? 0) + 1
    }
    return work
  } finally {
    query.mockRestore()
  }
}

/** Kysely passes a text and values; pg’s pool a text or a query. */
const textOf = (given: unknown): string =>
  typeof given === 'string' ? given : ((given as { text?: string }).text ?? '')

test.each(Object.entries(asks))(
  '%s does the same work for known and unknown addresses',
  async (_, prepare) => {
    const of = async (email: string) => workOf(await prepare(email))
    // Warms up the caches.
    await of(anEmail())
    const unknown = await of(anEmail())
    expect(unknown['statements']).toBeGreaterThan(0)
    for (const [kind, email] of Object.entries(known))
      expect([kind, await of(email)]).toEqual([kind, unknown])
  },
)
