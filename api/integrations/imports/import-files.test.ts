import { hash as argon2 } from '@node-rs/argon2'
import { hashSync } from '@node-rs/bcrypt'
import { scryptSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { sql } from 'kysely'
import { api } from '#contract/api.ts'
import { DAY, HOUR } from '#contract/platform/durations.ts'
import { aMember, anEmail, anIp, aSignedInMember } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { aNewsroom } from '#tests/newsroom.ts'
import { aReader } from '#tests/newsletter.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { mailNews } from '../../publishing/newsletter/queue-issues.ts'
import { importFiles, type Asked, type ImportKind } from './import-files.ts'
import { describeOutcome } from './describe-outcome.ts'

const password = 'a password of the earlier site'

async function run(
  { services }: TestApi,
  files: Partial<Record<ImportKind, string>>,
  options: Partial<Omit<Asked, 'files'>> = {},
) {
  const given = Object.fromEntries(Object.entries(files).map(([kind, text]) => [kind, Buffer.from(text)]))
  const asked = { isDry: false, withRights: false, skipped: [], ...options }
  const outcome = await importFiles(services, { files: given, ...asked })
  return { ...outcome, said: describeOutcome(outcome, asked.isDry) }
}

const lines = (...records: object[]) => records.map((each) => JSON.stringify(each)).join('\n')
const oldId = (n: number) => `5b0e1f${String(n).padStart(18, '0')}`
const aFormerMember = (n: number, more: object = {}) => ({ _id: oldId(n), email: anEmail(), ...more })

const signIn = (started: TestApi, email: string, given = password) =>
  started.call(api.signIn, { body: { email, password: given } }, { ip: anIp() })

const memberOf = ({ services }: TestApi, email: string) =>
  services.db.selectFrom('member').selectAll().where('email', '=', email).executeTakeFirstOrThrow()

const countOf = async ({ services }: TestApi, table: 'member' | 'mail' | 'audit_entry') =>
  (await services.db.selectFrom(table).select('id').execute()).length

const scryptOf = (text: string, [ln, r, p]: [number, number, number]) => {
  const salt = Buffer.from('sixteen bytes !!')
  const plain = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  const made = scryptSync(text, salt, 32, { N: 2 ** ln, r, p, maxmem: 2 ** 28 })
  return `$scrypt$ln=${ln},r=${r},p=${p}$${plain(salt)}$${plain(made)}`
}

test('members of an earlier site sign in with their passwords, and then get our hash', async () => {
  const started = await startApi()
  const bcrypt = hashSync(password, 4)
  const records = [
    aFormerMember(1, { passwordHash: bcrypt, displayName: 'Sample One' }),
    aFormerMember(2, { password: bcrypt.replace('$2b$', '$2y$') }),
    aFormerMember(3, {
      passwordHash: await argon2(password, { memoryCost: 64, timeCost: 1, parallelism: 1 }),
    }),
    // Its lanes need more memory than its blocks.
    aFormerMember(4, { passwordHash: scryptOf(password, [1, 99, 99]) }),
  ]
  expect((await run(started, { members: lines(...records) })).said).toContain('members: 4 added')
  for (const { _id, email } of records) {
    expect((await signIn(started, email, 'another password')).problem.code).toBe('credentials_invalid')
    expect((await memberOf(started, email)).password_hash).toMatch(/^imported:/)
    expect((await signIn(started, email)).body.id).toBe(_id)
    expect((await memberOf(started, email)).password_hash).toMatch(/^\$argon2id\$/)
    expect((await signIn(started, email)).status).toBe(200)
    expect((await signIn(started, email, 'another password')).problem.code).toBe('credentials_invalid')
  }
  const kinds = () => started.services.db.selectFrom('imported_password_kind').selectAll().execute()
  expect(await kinds()).toHaveLength(3)
  await cleanUp(started.services)
  expect(await kinds()).toEqual([])
})

test('two concurrent first sign-ins both succeed', async () => {
  const started = await startApi()
  const member = aFormerMember(1, { passwordHash: hashSync(password, 4) })
  await run(started, { members: lines(member) })
  const answers = await Promise.all([signIn(started, member.email), signIn(started, member.email)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
})

test('members without a hash set a password by email; deactivated ones stay so', async () => {
  const started = await startApi()
  const [open, shut] = [
    aFormerMember(1),
    aFormerMember(2, { active: false, passwordHash: hashSync(password, 4) }),
  ]
  await run(started, { members: lines(open, shut) })
  expect((await signIn(started, open.email)).problem.code).toBe('credentials_invalid')
  expect((await signIn(started, shut.email)).problem.code).toBe('member_inactive')
  expect((await memberOf(started, shut.email)).closed_at).not.toBeNull()
  expect(await started.mailsTo(open.email)).toEqual([])
  await started.call(api.requestPasswordReset, { body: { email: open.email } }, { ip: anIp() })
  const [mail] = await started.mailsTo(open.email)
  const link = new URL(/https?:\S+/.exec(mail!.text)![0])
  const code = /pwdresetcode=([\w-]+)/.exec(link.href)?.[1] ?? link.href.split('/').at(-1)!
  const passwd = 'a new password here'
  const changed = await started.call(
    api.executePasswordReset,
    { body: { id: open._id, pwdresetcode: code, passwd } },
    { ip: anIp() },
  )
  expect(changed.status).toBe(200)
  expect((await signIn(started, open.email, passwd)).status).toBe(200)
})

test('every sign-in computes the imported kinds of hashes', async () => {
  const started = await startApi()
  const member = aFormerMember(1, { passwordHash: hashSync(password, 4) })
  await run(started, { members: lines(member) })
  const own = await aMember(started)
  const asked: (readonly string[] | undefined)[] = []
  const { passwords } = started.services
  started.services.passwords = {
    ...passwords,
    verifyEach: (hashes, typed, lane, by) => {
      asked.push(by?.importedKinds)
      return passwords.verifyEach(hashes, typed, lane, by)
    },
  }
  for (const email of [member.email, own.email, anEmail()]) await signIn(started, email, 'wrong')
  expect(asked).toEqual([['bcrypt-4'], ['bcrypt-4'], ['bcrypt-4']])
})

test.each([
  ['a password itself', password],
  ['a costly bcrypt', `$2b$20$${'a'.repeat(53)}`],
  ['a costly Argon2', `$argon2id$v=19$m=999999,t=99,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`],
  ['a costly scrypt', `$scrypt$ln=30,r=8,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`],
  ['MD5', '5f4dcc3b5aa765d61d8327deb882cf99'],
])('%s is no hash that is taken over, and is not printed', async (_, passwordHash) => {
  const started = await startApi()
  const { said } = await run(started, {
    members: lines(aFormerMember(1), aFormerMember(2, { passwordHash })),
  })
  expect(said).toContain('line 2, column passwordHash: must be a bcrypt, scrypt, or Argon2 hash')
  expect(said).not.toContain(passwordHash)
})

test('imports rights only with a flag, pending a long password, and logs them', async () => {
  const started = await startApi()
  const officer = aFormerMember(1, { manageFinance: 2, passwordHash: hashSync(password, 4) })
  const other = aFormerMember(2, { isWriteAccessAdmin: true })
  const without = await run(started, { members: lines(officer) })
  expect(without.said).toContain('1 have staff rights in the file, which are imported only')
  expect(await memberOf(started, officer.email)).toMatchObject({ manage_finance: 0 })
  const withRights = await run(started, { members: lines(other) }, { withRights: true })
  expect(withRights.said).toContain('new members get them')
  expect(await memberOf(started, other.email)).toMatchObject({
    is_write_access_admin: true,
    password_length_ok_for_staff: false,
  })
  const entries = await started.services.db.selectFrom('audit_entry').selectAll().execute()
  expect(entries.filter(({ subject_id }) => subject_id === other._id)).toMatchObject([
    { action: 'member-updated', detail: { changes: ['isWriteAccessAdmin false → true'] } },
  ])
  expect(entries.filter(({ action }) => action === 'members-imported')).toHaveLength(2)
})

test('reads a spreadsheet by its heading, and reports line and column of each problem without data', async () => {
  const started = await startApi()
  const before = await countOf(started, 'member')
  const sheet = [
    'ID;E-mail;First Name;Active;Member Since;Shoe size',
    'a1;one@example.org;"Ann; Anna";yes;2019-05-01;"9',
    'or 10"',
    'a2;not an address;Bo;perhaps;2019-02-30;9',
    'a1;three@example.org;;;;',
  ].join('\r\n')
  const { said, isDone } = await run(started, { members: sheet })
  expect(isDone).toBe(false)
  for (const each of [
    'line 1, column 6: unknown column',
    'line 4, column E-mail: not a valid email address',
    'line 4, column Active: must be true or false',
    'line 4, column Member Since: must be a time',
    'line 5, column ID: an earlier line has the same ID',
  ])
    expect(said).toContain(each)
  for (const each of ['Ann', 'Bo', 'not an address', 'one@', 'perhaps']) expect(said).not.toContain(each)
  expect(await countOf(started, 'member')).toBe(before)
  const mended = sheet.split('\r\n').slice(0, 3).join('\r\n')
  expect((await run(started, { members: mended }, { skipped: ['Shoe size'] })).said).toContain('1 added')
  expect(await memberOf(started, 'one@example.org')).toMatchObject({
    id: 'a1',
    first_name: 'Ann; Anna',
    created_at: new Date('2019-05-01'),
  })
})

test('a dry run and a repeat change nothing; new records are added; local changes stay', async () => {
  const started = await startApi()
  const [first, second] = [aFormerMember(1, { displayName: 'As it was' }), aFormerMember(2)]
  const mails = await countOf(started, 'mail')
  const dry = await run(started, { members: lines(first) }, { isDry: true })
  expect(dry.said).toContain('members: 1 would be added, 0 already exist')
  expect(dry.said).toContain('this was a dry run')
  await run(started, { members: lines(first) })
  const stored = await memberOf(started, first.email)
  const entries = await countOf(started, 'audit_entry')
  expect((await run(started, { members: lines(first) })).said).toContain('0 added, 1 already exists')
  expect(await memberOf(started, first.email)).toEqual(stored)
  expect(await countOf(started, 'audit_entry')).toBe(entries)
  await started.services.db
    .updateTable('member')
    .set({ display_name: 'As it is' })
    .where('id', '=', first._id)
    .execute()
  const more = await run(started, { members: lines(first, second) })
  expect(more.said).toContain('1 added, 1 already exists')
  expect(await memberOf(started, first.email)).toMatchObject({ display_name: 'As it is' })
  expect(await countOf(started, 'mail')).toBe(mails)
})

test('names an address that someone has, or that two lines have', async () => {
  const started = await startApi()
  const { email } = await aSignedInMember(started)
  const twice = anEmail()
  const { said } = await run(started, {
    members: lines(
      aFormerMember(1, { email }),
      aFormerMember(2, { email: twice }),
      aFormerMember(3, { email: twice }),
    ),
  })
  expect(said).toContain('line 1, column email: another member already has this address')
  expect(said).toContain('line 3, column email: an earlier line has the same address')
})

test('emails no one about posts public on the earlier site; a draft is emailed once published here', async () => {
  const started = await startApi()
  const { services } = started
  const newsroom = await aNewsroom(started)
  const [reader, weekly] = [await aReader(started), await aReader(started, { rhythm: 'weekly' })]
  const aPost = (n: number, more: object) => ({
    _id: oldId(n),
    title: `Post ${n}`,
    category: 'News',
    language: 'en',
    content: '<p>Said before</p>',
    ...more,
  })
  const posts = lines(
    aPost(1, {}),
    aPost(2, { postedDate: new Date(Date.now() - HOUR).toISOString() }),
    aPost(3, { status: 'draft' }),
  )
  expect((await run(started, { posts })).said).toContain('3 added')
  const mailed = async (email: string) =>
    (await started.mailsTo(email)).filter(({ kind }) => kind.startsWith('news-')).map(({ text }) => text)
  const past = new Date(Date.now() - HOUR)
  services.config.digestTime = { day: past.getUTCDay() || 7, hour: past.getUTCHours(), zone: 'UTC' }
  const mailAll = async () => {
    await services.db
      .updateTable('newsletter_pace')
      .set({ since: new Date(Date.now() - DAY), fed_at: new Date(Date.now() - DAY) })
      .execute()
    await mailNews(services)
  }
  await mailAll()
  // These posts appear in no digest either.
  await sql`update announcement set posted_at = now() - interval '3 hours' where state = 'published'`.execute(
    services.db,
  )
  await mailAll()
  for (const { email } of [reader, weekly]) expect(await mailed(email)).toEqual([])
  expect((await newsroom.call(api.publishPost, { params: { id: oldId(3) }, body: {} })).status).toBe(200)
  await mailAll()
  expect(await mailed(reader.email)).toEqual([expect.stringContaining('Post 3')])
})
