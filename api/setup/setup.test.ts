import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import type { SetupStep, SetupStepName } from '#contract/console/console-setup.ts'
import { DAY, MINUTE } from '#contract/platform/durations.ts'
import { recordBackupEnd, recordBackupStart } from '#api/platform/backup/backup-run.queries.ts'
import { aSale, aSignedInMember, saleSettings, type TestMember } from '#tests/builders.ts'
import { dnsOf, outside } from '#tests/setup/an-installation.ts'
import { startMailServer } from '#tests/setup/mail-server.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'
import type { Dns } from '../health/outside/outside.ts'
import { checkSetup } from './check-setup.ts'

const anAdmin = (started: TestApi) => aSignedInMember(started, { is_write_access_admin: true })
const read = async ({ call }: TestApi, { token }: TestMember) =>
  (await call(api.readSetup, {}, { token })).body
const skip = ({ call }: TestApi, { token }: TestMember, step: SetupStepName, isSkipped: boolean) =>
  call(api.skipSetupStep, { params: { step }, body: { isSkipped } }, { token })
const of = (steps: readonly SetupStep[], name: SetupStepName) => steps.find((step) => step.name === name)!
const statesOf = (steps: readonly SetupStep[]) =>
  Object.fromEntries(steps.map(({ name, state }) => [name, state]))

test('a new installation has every step open, with the problems that the health checks find', async () => {
  const started = await startApi()
  const steps = await read(started, await anAdmin(started))
  expect(steps.map(({ name, state, problems }) => [name, state, problems])).toEqual([
    ['second_administrator', 'open', ['one_administrator']],
    ['email', 'open', ['mail_unset']],
    ['backup', 'open', ['backup_never']],
    ['screening_list', 'open', ['no_screening_list']],
    ['texts', 'open', ['content_sample']],
    ['first_post', 'open', []],
    ['sale', 'open', []],
    ['domain', 'open', ['http_only', 'mail_unset']],
  ])
  expect(of(steps, 'texts').facts).toMatchObject([{ name: 'sampleCount' }])
})

test('an action in the console checks its step', async () => {
  const started = await startApi()
  const admin = await anAdmin(started)
  const as = { token: admin.token }
  const stateOf = async (name: SetupStepName) => of(await read(started, admin), name).state

  const { id } = await aSignedInMember(started)
  const granted = await started.call(
    api.setMemberRights,
    { params: { id }, body: { isWriteAccessAdmin: true, reason: 'Our second administrator.' } },
    as,
  )
  expect([granted.status, await stateOf('second_administrator')]).toEqual([200, 'done'])

  const post = {
    title: 'A new release',
    category: 'News',
    language: 'en',
    content: '<p>Out now.</p>',
    contentSummary: 'Out now.',
  } as const
  const { body } = await started.call(api.createAnnouncement, { body: { ...post, status: 'draft' } }, as)
  expect(await stateOf('first_post')).toBe('open')
  await started.call(api.publishPost, { params: { id: body._id }, body: {} }, as)
  expect(await stateOf('first_post')).toBe('done')

  const { db } = started.services
  await recordBackupEnd(db, await recordBackupStart(db, 'bucket'), { bytes: 1000, failure: null })
  expect(await stateOf('backup')).toBe('done')
})

test('the sale is set up while a coin can be ordered, or from an announced start on', async () => {
  const started = await startApi()
  const admin = await anAdmin(started)
  const seller = await aSignedInMember(started, { manage_coins: 2 })
  const saved = async (fields: object) => {
    const answer = await started.call(
      api.updateSaleSettings,
      { body: saleSettings(fields) },
      { token: seller.token },
    )
    return [answer.status, of(await read(started, admin), 'sale').state]
  }
  const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString()
  expect(await saved({})).toEqual([200, 'done'])
  expect(await saved({ isOpen: false })).toEqual([200, 'open'])
  expect(await saved({ opensAt: inDays(1), closesAt: inDays(2) })).toEqual([200, 'done'])
  expect(await saved({ opensAt: inDays(-2), closesAt: inDays(-1) })).toEqual([200, 'open'])
  const closed = saleSettings().payMethods.map((method) => ({ ...method, isOpen: false }))
  expect(await saved({ opensAt: null, closesAt: null, payMethods: closed })).toEqual([200, 'open'])
})

test('a step that isn’t needed can be skipped and restored, and the audit log says by whom', async () => {
  const started = await startApi()
  const admin = await anAdmin(started)
  expect(of((await skip(started, admin, 'screening_list', true)).body, 'screening_list')).toEqual({
    name: 'screening_list',
    state: 'skipped',
    problems: ['no_screening_list'],
    facts: [],
  })
  // A second administrator who does the same changes nothing.
  await skip(started, await anAdmin(started), 'screening_list', true)
  expect(of(await read(started, admin), 'screening_list').state).toBe('skipped')
  expect(of((await skip(started, admin, 'screening_list', false)).body, 'screening_list').state).toBe('open')
  await skip(started, admin, 'screening_list', false)
  const entries = await started.services.db
    .selectFrom('audit_entry')
    .select(['actor_id', 'action', 'subject_kind', 'detail'])
    .where('subject_kind', '=', 'setup')
    .orderBy('seq')
    .execute()
  const entry = { actor_id: admin.id, subject_kind: 'setup', detail: { step: 'screening_list' } }
  expect(entries).toEqual([
    { ...entry, action: 'setup-step-skipped' },
    { ...entry, action: 'setup-step-restored' },
  ])
})

test('a skipped step that gets done is done', async () => {
  const started = await startApi()
  const admin = await anAdmin(started)
  await skip(started, admin, 'sale', true)
  await aSale(started)
  expect(of(await read(started, admin), 'sale').state).toBe('done')
})

test('only administrators read the steps or skip one, and only one that exists', async () => {
  const started = await startApi()
  for (const rights of [
    {},
    { manage_finance: 2, manage_employee: 2, manage_news: 2, manage_coins: 2 },
  ] as const) {
    const other = await aSignedInMember(started, rights)
    const answer = await started.call(api.readSetup, {}, { token: other.token })
    expect(answer.problem.code).toBe('forbidden')
    expect((await skip(started, other, 'sale', true)).problem.code).toBe('forbidden')
  }
  const unknown = await skip(started, await anAdmin(started), 'unknown' as 'sale', true)
  expect(unknown.problem.code).toBe('not_found')
  expect(await started.services.db.selectFrom('skipped_setup_step').select('step').execute()).toEqual([])
})

/** An installation with a mail server, HTTPS, and a screening list. */
async function aPublicInstallation(settings: Record<string, string> = {}) {
  const mails = await startMailServer()
  onTestFinished(() => mails.close())
  const folder = await makeTemporary('setup')
  onTestFinished(() => removeTemporary(folder))
  const list = join(folder, 'list.csv')
  await writeFile(list, 'name,born\nA Sample Person,1970-01-31\n')
  const started = await startApi({
    SMTP_URL: mails.url,
    SCREENING_LIST: list,
    PUBLIC_URL: 'https://localhost:9',
    TRUST_PROXY: 'loopback',
    MAIL_FROM: 'Coin <no-reply@coin.example>',
    ...settings,
  })
  return { started, mails }
}

test('checks the mail server, the mail domain, and the screening list itself', async () => {
  const { started } = await aPublicInstallation()
  const steps = await checkSetup(started.services, outside())
  expect(statesOf(steps)).toMatchObject({ email: 'done', screening_list: 'done', domain: 'done' })
})

test('names what the mail domain lacks', async () => {
  const { started } = await aPublicInstallation()
  const dns = dnsOf({ 'coin.example': ['v=spf1 +all'] })
  expect(of(await checkSetup(started.services, outside({ dns })), 'domain')).toEqual({
    name: 'domain',
    state: 'open',
    problems: ['spf_open', 'dkim_missing', 'dmarc_missing'],
    facts: [{ name: 'senderDomain', value: 'coin.example' }],
  })
})

test('a domain that can’t be looked up stays open', async () => {
  const { started } = await aPublicInstallation()
  const failed = await checkSetup(started.services, outside({ dns: dnsOf({}, 'ESERVFAIL') }))
  expect(of(failed, 'domain').problems).toEqual(['unanswered'])
  const { started: nameless } = await aPublicInstallation({ MAIL_FROM: 'no-reply@localhost' })
  expect(of(await checkSetup(nameless.services, outside()), 'domain').problems).toEqual([
    'mail_domain_unknown',
  ])
})

test('waits a few seconds for a slow server, and shows its result on the next page', async () => {
  const { started } = await aPublicInstallation()
  let answer = () => {}
  const slow = new Promise<string[][]>((resolve) => {
    answer = () => resolve([['v=spf1 mx -all']])
  })
  const world = outside()
  const resolveTxt = vi.fn<Dns['resolveTxt']>((name: string) =>
    name === 'coin.example' ? slow : world.dns.resolveTxt(name),
  )
  const check = () => checkSetup(started.services, { ...world, dns: { ...world.dns, resolveTxt } })
  const begun = performance.now()
  expect(of(await check(), 'domain').problems).toEqual(['unanswered'])
  expect(performance.now() - begun).toBeLessThan(8000)
  answer()
  await expect.poll(async () => of(await check(), 'domain').state).toBe('done')
  const asked = resolveTxt.mock.calls.length
  await check()
  expect(resolveTxt).toHaveBeenCalledTimes(asked)
})

test('an unreachable mail server keeps the step open until it answers', async () => {
  const { started } = await aPublicInstallation({ SMTP_URL: 'smtp://127.0.0.1:9' })
  expect(of(await checkSetup(started.services, outside()), 'email')).toMatchObject({
    state: 'open',
    problems: ['mail_server_unreachable'],
    facts: [{ name: 'why' }],
  })
  const mails = await startMailServer()
  onTestFinished(() => mails.close())
  Object.assign(started.services.config, { smtpUrl: mails.url })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * MINUTE })
  onTestFinished(() => void vi.useRealTimers())
  expect(of(await checkSetup(started.services, outside()), 'email').state).toBe('done')
})
