import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HealthProblem } from '#contract/console/console-health.ts'
import { MINUTE } from '#contract/platform/durations.ts'
import { aMember } from '#tests/builders.ts'
import { startMailServer } from '#tests/setup/mail-server.ts'
import { topic } from '#tests/mail-events.ts'
import { anInstallation, audited, dnsOf, key, outside, problemsOf } from '#tests/setup/an-installation.ts'
import { staffDecides, type TestApi } from '#tests/setup/start-api.ts'
import { makeTemporary, removeTemporary } from '#tests/setup/temporary.ts'
import { describeChecks, describeChecksAsJson } from '../../scripts/doctor/describe-checks.ts'
import {
  recordBackupEnd,
  recordBackupFailure,
  recordBackupStart,
} from '../platform/backup/backup-run.queries.ts'
import { instance } from '../platform/jobs/instance.ts'
import { recordHeartbeat } from '../platform/jobs/job.queries.ts'
import { readContentFiles, type Words } from '../platform/site-content/content-files.ts'
import { makeKeys } from '../platform/keys.ts'
import { makeSiteContent, type SiteContent } from '../platform/site-content/site-content.ts'
import { examine } from './examine.ts'
import { hashSettings } from './hash-settings.ts'
import { look } from './look.ts'

/**
 * Two administrators with factors, a list of persons, a mail server, a backup of last night, and a verified
 * hash chain.
 */
async function aRightInstallation(): Promise<TestApi> {
  const mails = await startMailServer()
  onTestFinished(() => mails.close())
  const folder = await makeTemporary('list')
  onTestFinished(() => removeTemporary(folder))
  const list = join(folder, 'list.csv')
  await writeFile(list, 'name,born\nA Sample Person,1970-01-31\n')
  const started = await anInstallation({
    ...staffDecides,
    SMTP_URL: mails.url,
    SCREENING_LIST: list,
    MAIL_EVENTS_SES_TOPIC: topic,
  })
  const { db, keys, config } = started.services
  for (const _ of [1, 2]) {
    const admin = await aMember(started, { rights: { is_write_access_admin: true } })
    await db
      .updateTable('member')
      .set({ password_length_ok_for_staff: true, manage_finance: 2, manage_coins: 2 })
      .where('id', '=', admin.id)
      .execute()
    const sealed = keys.seal('second factor', admin.id, 'a secret')
    await db
      .insertInto('totp')
      .values({ member_id: admin.id, sealed_secret: sealed, confirmed_at: new Date() })
      .execute()
  }
  await sql`insert into audit_check (started_by, started_at, finished_at, head)
    select id, now(), now(), 'x' from member limit 1`.execute(db)
  await recordBackupEnd(db, await recordBackupStart(db, 'bucket'), { bytes: 1000, failure: null })
  await recordHeartbeat(db, instance, { settings: hashSettings(config, keys) })
  return started
}

/** The tests may be given a server whose role is a superuser. */
/** A project that has replaced all sample content. */
const contentOfItsOwn = (): SiteContent =>
  makeSiteContent(() => {
    const files = readContentFiles()
    const own = { en: 'A line that this project wrote', cn: '这是本项目自己写的一句话' }
    const replaced = (words: Words): Words =>
      Object.fromEntries(Object.entries(words).map(([key, text]) => [key, `${text} Own.`]))
    return {
      ...files,
      brand: {
        ...files.brand,
        tagline: own,
        legalLine: own,
        email: 'hello@coin.org',
        address: { en: ['1 Real Road'], cn: ['真实路 1 号'] },
        links: { wallet: {} },
        social: {},
      },
      facts: new Map([...files.facts].map(([file, value]) => [file, Array.isArray(value) ? [] : {}])),
      documents: [],
      words: new Map(
        [...files.words].map(([language, byFile]) => [
          language,
          new Map([...byFile].map(([file, words]) => [file, replaced(words)])),
        ]),
      ),
    }
  })

async function besidesSuperuser({ services }: TestApi, problems: HealthProblem[]): Promise<HealthProblem[]> {
  const { rows } = await sql<{ is: boolean }>`
    select rolsuper as is from pg_roles where rolname = current_user`.execute(services.db)
  return rows[0]!.is ? problems.filter((problem) => problem !== 'database_superuser') : problems
}

test('in production reports the sample and news without a postal address, but not in a demo', async () => {
  const mails = await startMailServer()
  onTestFinished(() => mails.close())
  const { services } = await anInstallation({ SMTP_URL: mails.url })
  await sql`insert into subscriber (email, language, categories, rhythm, state, consented_at, link_secret)
    values ('a@example.org', 'en', '{News}', 'each', 'active', now(), 'x')`.execute(services.db)
  const content = makeSiteContent()
  content.override(new Map([['brand.json', { address: { en: [], cn: [] } }]]))
  const sample = await look('content', { ...services, content })
  expect(sample.problems).toEqual(['content_sample', 'postal_address_missing'])
  expect(Number(sample.facts.find(({ name }) => name === 'sampleCount')?.value)).toBeGreaterThan(100)
  const config = { ...services.config, isDemo: true }
  expect((await look('content', { ...services, content, config })).problems).toEqual([])
  expect((await look('content', { ...services, content: contentOfItsOwn() })).problems).toEqual([])
})

test('reports nothing for a correct installation, and nothing secret or personal', async () => {
  const started = await aRightInstallation()
  const { services } = started
  const checks = await examine(
    {
      ...services,
      content: contentOfItsOwn(),
      ownSettings: hashSettings(services.config, services.keys),
    },
    outside({ mailTo: 'you@coin.example' }),
  )
  expect(await besidesSuperuser(started, problemsOf(checks))).toEqual([])
  expect(checks.map(({ state }) => state)).not.toContain('unchecked')
  const told = describeChecksAsJson(checks) + describeChecks(checks)
  expect(told).toContain('No problems found.')
  expect(JSON.parse(describeChecksAsJson(checks))).toMatchObject({ ok: true })
  expect(told).not.toContain(key)
  expect(told).not.toMatch(/@|198\.51\.100|Sample Person/)
})

test('finds all planted mistakes and nothing else, each with its fix', async () => {
  const started = await anInstallation(
    {
      SMTP_URL: 'smtp://127.0.0.1:9',
      TRUST_PROXY: 'loopback, 128.0.0.0/1',
      KYC_FOUR_EYES: 'off',
      ORDER_TWO_PERSONS_FROM: '',
      PROOF_OF_WORK: 'off',
      LOG_LEVEL: 'silent',
    },
    { certificate: 'expired', tells: () => ({}), clockWrongBy: 5 * MINUTE },
  )
  const { services } = started
  const { db, config, keys } = services
  await aMember(started, { rights: { is_write_access_admin: true } })
  await recordBackupEnd(db, await recordBackupStart(db, 'directory'), { bytes: 1, failure: null })
  await sql`update backup_run set done_at = now() - interval '3 days'`.execute(db)
  await recordBackupFailure(db, 'directory', 'ENOSPC')
  await sql`insert into mail (id, to_address, kind, sealed_message, state, created_at) values
    ('a', 'a@example.org', 'x', '', 'waiting', now() - interval '1 hour'),
    ('b', 'a@example.org', 'x', null, 'failed', now())`.execute(db)
  await sql`insert into job_run (job, instance_id, began_at, ms, failure) values ('trash', 'x', now(), 1, 'ENOSPC'),
    ('publishing', 'x', now() - interval '1 hour', 1, null)`.execute(db)
  await recordHeartbeat(db, instance, { settings: hashSettings(config, keys) })
  const another = () => ({ ...instance, id: randomUUID() })
  await recordHeartbeat(
    db,
    { ...another(), version: '0.0.1', host: 'elsewhere' },
    {
      marksStore: true,
      settings: { SMTP_URL: 'x' },
    },
  )
  for (const _ of 'abcd') await recordHeartbeat(db, another())
  const checks = await examine(
    services,
    outside({
      dns: dnsOf({ 'coin.example': ['v=spf1 +all', 'v=spf1 mx -all'] }),
      audit: () => Promise.resolve(audited(2)),
    }),
  )
  const found = await besidesSuperuser(started, problemsOf(checks))
  const planted: HealthProblem[] = [
    'address_clock',
    'tls_expired',
    'proxy_no_address',
    'proxy_no_scheme',
    'spf_several',
    'spf_open',
    'dkim_missing',
    'dmarc_missing',
    'mail_server_unreachable',
    'packages_vulnerable',
    'database_pool',
    'mail_waiting',
    'mail_failed',
    'storage_not_shared',
    'jobs_failed',
    'jobs_late',
    'record_never',
    'backup_old',
    'backup_failed',
    'staff_without_factor',
    'versions_differ',
    'settings_differ',
    'proxy_too_wide',
    'one_administrator',
    'proof_of_work_off',
    'four_eyes_alone_orders',
    'four_eyes_off_sale',
    'four_eyes_off_content',
    'four_eyes_off',
    'no_screening_list',
    'log_silent',
    'content_sample',
  ]
  expect(found.toSorted()).toEqual(planted.toSorted())
  const words = describeChecks(checks)
  for (const problem of planted) expect(words).toMatch(new RegExp(`- \\S.*\\[${problem}\\]\\n {4}\\S`))
  expect(words).not.toContain('health.')
  expect(words).toContain('SMTP_URL')
})

test('detects a large pool, a wrong key, an unwritable store, and different clocks', async () => {
  const started = await aRightInstallation()
  const { services } = started
  const pooled = { ...services.config, poolLimits: { ...services.config.poolLimits, connections: 500 } }
  const problems = async (config: typeof pooled) => (await look('database', { ...services, config })).problems
  expect(await problems(pooled)).toContain('database_pool')
  expect(await problems({ ...pooled, preparesStatements: false })).not.toContain('database_pool')
  const otherKeys = makeKeys(Buffer.alloc(32, 7))
  expect((await look('keys', { ...services, keys: otherKeys })).problems).toEqual(['key_mismatch'])
  const full = { ...services.files, put: () => Promise.reject(new Error('full')) }
  expect((await look('storage', { ...services, files: full })).problems).toEqual(['storage_unwritable'])
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * MINUTE })
  onTestFinished(() => void vi.useRealTimers())
  expect((await look('clock', services)).problems).toEqual(['clock_apart'])
})
