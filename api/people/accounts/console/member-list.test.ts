import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { MemberFilters } from '#contract/people/console-members.ts'
import { findKycStateOfMember } from '#api/people/kyc/kyc.queries.ts'
import { listSummaries } from './member-list.queries.ts'
import { updateMemberRow, type MemberChange } from '#api/people/members/member.queries.ts'
import { aMember, anApplication, anEmail, aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { addTotp, as, letProofAge } from '#tests/step-up.ts'

const started = await startApi({}, afterAll)
const { db } = started.services
const clerk = await aSignedInMember(started, { manage_employee: 1 })

const ask = async (query: MemberFilters & { limit?: number; after?: string }) =>
  started.call(api.listConsoleMembers, { query }, as(clerk))
const found = async (query: MemberFilters) => (await ask({ ...query, limit: 100 })).body.map(({ id }) => id)

async function named(change: MemberChange, email?: string): Promise<string> {
  const { id } = await aSignedInMember(started)
  if (email) await db.updateTable('member').set({ email }).where('id', '=', id).execute()
  await updateMemberRow(db, id, change)
  return id
}

const li = await named({ first_name: '娜', last_name: '李', display_name: '李娜' })
const anna = await named({ first_name: 'Anna', last_name: 'Larsen' }, 'anna.larsen+coins@fjord.example.org')
const percent = await named({ display_name: '100% sure_thing' })

test.each<[string, string[]]>([
  ['李娜', [li]],
  ['娜', [li]],
  ['LARS', [anna]],
  ['fjord', [anna]],
  ['jord.exam', [anna]],
  ['anna larsen', [anna]],
  ['an la', [anna]],
  ['arsen+co', [anna]],
  ['anna.larsen+coins@fjord.example.org', [anna]],
  ['coins@fj', [anna]],
  ['100%', [percent]],
  ['100_', []],
  ['sure_th', [percent]],
  ['nobody at all', []],
  ["anna'; --", []],
])('%s finds the right members', async (q, expected) => {
  expect(await found({ q })).toEqual(expected)
})

test.each<[string, string[]]>([
  ['Larsen', [anna]],
  ['larson', [anna]],
  ['Larzen', [anna]],
  ['Laresn', [anna]],
  ['alrsen', [anna]],
  ['Larssen', [anna]],
  ['Larsn', [anna]],
  ['arsen', [anna]],
  ['ana larsne', [anna]],
  ['fyord larsen', [anna]],
  ['Larzon', []],
  ['berit larsen', []],
  // Too short, too long, or without a letter.
  ['lasr', []],
  ['l'.repeat(40), []],
  ['李娜', []],
  ['%%%%%%', []],
])('%s, with at most one mistake in each word, finds similar members', async (similarTo, expected) => {
  expect(await found({ similarTo })).toEqual(expected)
  expect(await found({ similarTo, active: 'no' })).toEqual([])
})

test('a whole ID finds its member, a part of it nobody', async () => {
  expect(await found({ q: li.toUpperCase() })).toEqual([li])
  expect(await found({ q: li.slice(0, 8) })).toEqual([])
})

test('a whole address finds only its member, in any case', async () => {
  const own = await named({}, 'ruth@whole.example.org')
  const longer = await named({}, 'not.ruth@whole.example.org')
  expect(await found({ q: ' Ruth@Whole.example.org ' })).toEqual([own])
  expect((await found({ q: 'ruth@whole' })).toSorted()).toEqual([own, longer].toSorted())
})

test('members who joined within a few days, by their sign-ins', async () => {
  const day = new Date().toISOString().slice(0, 10)
  const narrowed = await found({ from: day, to: day, sort: '-signIn' })
  expect(narrowed).toEqual(await found({ from: '2021-01-01', to: day, sort: '-signIn' }))
  expect(narrowed.length).toBeGreaterThan(3)
})

test('a query without searchable terms filters nothing', async () => {
  expect((await found({ q: ' @ ' })).length).toBe((await found({})).length)
})

test('a frequent word is found page by page, without duplicates', async () => {
  for (let n = 0; n < 7; n += 1) await named({ display_name: `Crowd number ${n}` })
  const seen: string[] = []
  let after: string | undefined
  do {
    const page = await ask({ q: 'crowd', limit: 2, ...(after && { after }) })
    seen.push(...page.body.map(({ name }) => name))
    const link = page.headers['link'] as string
    after = /after=([^&>]+)/.exec(link)?.[1]
  } while (after)
  expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0].map((n) => `Crowd number ${n}`))
})

test.each([
  { next: 1, found: 0 },
  { next: 3, found: 4 },
  { next: 3, found: 6 },
])('a search that checks %o members per page finds every match once', async (bounds) => {
  const word = `throng${bounds.found}`
  for (let n = 0; n < 5; n += 1) await named({ display_name: `${word} ${n}` })
  const last = await named({ display_name: `${word} last`, active: false, closed_at: new Date() })
  const others: string[] = []
  for (let n = 0; n < 4; n += 1)
    others.push(await named({ display_name: 'Someone else', active: false, closed_at: new Date() }))
  for (const sort of ['-joined', 'joined', '-signIn', 'signIn'] as const)
    for (const filters of [
      { q: word, sort },
      { q: word, sort, from: '2020-01-01' },
      { q: word, sort, active: 'no' as const },
    ]) {
      const seen: string[] = []
      let after: string | undefined
      do {
        const page = await listSummaries(db, filters, { limit: 2, after }, bounds)
        seen.push(...page.rows.map(({ id }) => id))
        after = page.next
      } while (after !== undefined)
      expect(seen).toEqual(await found(filters))
      expect(seen).toHaveLength('active' in filters ? 1 : 6)
      expect(seen).toContain(last)
    }
  const [first] = [await listSummaries(db, { q: word, active: 'no' }, { limit: 2 }, bounds)]
  // The index finds more members than may be checked, so the page ends after the newest ones.
  if (bounds.found < 6) expect(first).toMatchObject({ rows: [], next: expect.any(String) })
  else expect(first).toMatchObject({ rows: [{ id: last }], next: undefined })
  // Otherwise other tests would count them.
  for (const id of [last, ...others]) await updateMemberRow(db, id, { active: true, closed_at: null })
})

test('by state, right, identity, factor, and day', async () => {
  const closed = await aSignedInMember(started)
  await updateMemberRow(db, closed.id, { active: false, closed_at: new Date() })
  const finance = await aSignedInMember(started, { manage_finance: 1, display_name: 'Fin' })
  const chief = await aSignedInMember(started, { is_write_access_admin: true })
  const proved = await aSignedInMember(started)
  await addTotp(started, proved)
  const applicant = await aSignedInMember(started)
  const application = await anApplication(started, applicant)
  const early = await aSignedInMember(started)
  await db
    .updateTable('member')
    .set({ created_at: new Date('2020-02-29T23:59:59.999Z') })
    .where('id', '=', early.id)
    .execute()

  expect(await found({ active: 'no' })).toEqual([closed.id])
  expect(await found({ active: 'yes' })).not.toContain(closed.id)
  expect((await found({ right: 'any' })).toSorted()).toEqual([finance.id, chief.id, clerk.id].toSorted())
  expect(await found({ right: 'finance' })).toEqual([finance.id])
  expect(await found({ right: 'employee' })).toEqual([clerk.id])
  expect(await found({ right: 'admin' })).toEqual([chief.id])
  expect(await found({ factor: 'yes' })).toEqual([proved.id])
  expect(await found({ factor: 'no' })).not.toContain(proved.id)
  expect(await found({ kyc: 'submitted' })).toEqual([applicant.id])
  await db
    .updateTable('kyc_application')
    .set({ status: 'approved' })
    .where('id', '=', application._id)
    .execute()
  expect(await found({ kyc: 'submitted' })).toEqual([])
  expect(await found({ kyc: 'approved', active: 'yes', right: 'any' })).toEqual([])
  expect(await found({ from: '2020-02-29', to: '2020-02-29' })).toEqual([early.id])
  expect(await found({ from: '2020-03-01', to: '2020-03-02' })).toEqual([])
  expect((await found({ sort: 'joined' }))[0]).toBe(early.id)
  expect((await ask({ from: '2023-02-29' })).problem.errors?.[0]?.code).toBe('date')
  await db.deleteFrom('totp').where('member_id', '=', proved.id).execute()
  expect(await found({ factor: 'yes' })).toEqual([])
})

test('by the last sign-in, members who never signed in last', async () => {
  const email = anEmail()
  const first = await aMember(started, { email })
  const second = await aMember(started)
  expect((await found({ sort: '-signIn' })).slice(0, 2)).toEqual([second.id, first.id])
  const [newest] = (await ask({ sort: '-signIn', limit: 1 })).body
  expect(Date.parse(newest!.lastSignIn!)).toBeGreaterThan(Date.parse(newest!.memberSince) - 1)
  const [oldest] = (await ask({ sort: 'signIn', limit: 1 })).body
  expect(oldest!.lastSignIn).toBeNull()
})

test('the list contains no more member data than it needs', async () => {
  await updateMemberRow(db, anna, { mobile: '+354 555 0100', work_email: 'w@example.org' })
  const [row] = (await ask({ q: 'larsen' })).body
  expect(Object.keys(row!).toSorted().join(' ')).toBe(
    'active assignee email hasFactor id isClosed isWriteAccessAdmin kyc lastSignIn manageCoins manageEmployee manageFinance manageNews memberSince name',
  )
})

test('separates pending from effective rights', async () => {
  const waiting = await aSignedInMember(started, { manage_coins: 2, password_length_ok_for_staff: false })
  const row = (await ask({ right: 'coins' })).body.find(({ id }) => id === waiting.id)
  expect(row).toMatchObject({ manageCoins: 0, waitingRights: { manageCoins: 2, needs: ['password'] } })
})

test('as a file: all matches, with a fresh proof, logged, and without formulas', async () => {
  await named({ display_name: '=cmd("x")' }, 'formula@file.example.org')
  await named({ display_name: 'Comma, "quoted"' }, 'comma@file.example.org')
  const query = { q: 'file.example.org', sort: 'joined' } as const
  const answer = await started.call(api.exportConsoleMembers, { query }, as(clerk))
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
  const lines = String(answer.body).trim().split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines[1]).toContain(`formula@file.example.org,"'=cmd(""x"")",active,`)
  expect(lines[2]).toContain('"Comma, ""quoted"""')
  const noted = await db
    .selectFrom('audit_entry')
    .select('action')
    .where('actor_id', '=', clerk.id)
    .where('action', '=', 'members-exported')
    .execute()
  expect(noted).toHaveLength(1)
  await letProofAge(started, clerk)
  const stale = await started.call(api.exportConsoleMembers, { query }, as(clerk))
  expect(stale.problem.code).toBe('step_up_required')
})

test('the summary agrees with the identity status of sign-in, and is deleted with an erasure', async () => {
  const { rows } = await sql<{ wrong: number }>`select count(*)::int as wrong from member m
    left join member_summary s on s.id = m.id
    where m.erased_at is null and (s.id is null or s.kyc_state is distinct from kyc_state_of(m.id)
      or s.has_factor <> member_has_factor(m.id) or s.is_active <> m.active or s.joined_at <> m.created_at)`.execute(
    db,
  )
  expect(rows).toEqual([{ wrong: 0 }])
  for (const { id, kyc_state } of await db.selectFrom('member_summary').select(['id', 'kyc_state']).execute())
    expect(kyc_state ?? 'none').toBe(await findKycStateOfMember(db, id))
  const leaving = await aSignedInMember(started)
  await started.call(api.eraseMember, { body: { current: leaving.password } }, as(leaving))
  expect(await found({ q: leaving.id })).toEqual([])
})

test('a whole wallet finds its member, for staff who can see it in the identity application', async () => {
  const holder = await aSignedInMember(started)
  await anApplication(started, holder)
  const wallet = '0xde0B295669a9FD93d5F28D9Ec85E40f4cb697BAe'
  await db
    .updateTable('kyc_application')
    .set({ eth_address: wallet })
    .where('member_id', '=', holder.id)
    .execute()
  const finance = await aSignedInMember(started, { manage_employee: 1, manage_finance: 1 })
  const search = async (q: string, reader = finance) =>
    (await started.call(api.listConsoleMembers, { query: { q } }, as(reader))).body.map(({ id }) => id)
  expect(await search(` ${wallet.toLowerCase()} `)).toEqual([holder.id])
  expect(await search(wallet.slice(0, -1))).toEqual([])
  expect(await search(wallet, clerk)).toEqual([])
})
