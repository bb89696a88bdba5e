import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { pendingReminderDays, reminderDays, reminderWaitMinutes } from '#contract/money/public-sale.ts'
import { aSale, aSignedInMember, anEmail, anOrder, saleSettings } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { anIp } from '#tests/newsletter.ts'
import { startAnotherInstance, startApi, type TestApi } from '#tests/setup/start-api.ts'
import { apiBase } from '../../app.ts'
import { transaction, type Tx } from '../../platform/db/database.ts'
import { postInProcess } from '../../platform/http/post-in-process.ts'
import { followSale } from './public-sale-worker.ts'
import { reminderInProcess } from './reminder-in-process.ts'
import { cancelReminder } from './sale-reminders.ts'
import { replaceSale } from './sale.queries.ts'

const started = await startApi({}, afterAll)
const { call, mailsTo, services } = started
const { db } = services

const request = (email: string, language: 'en' | 'cn' = 'en', ip = anIp()) =>
  call(api.requestSaleReminder, { body: { email, language } }, { ip })
const confirm = (code: string) => call(api.confirmSaleReminder, { body: { code } }, { ip: anIp() })
const cancel = (code: string) => call(api.cancelSaleReminder, { body: { code } }, { ip: anIp() })
const rowOf = (email: string) =>
  db.selectFrom('sale_reminder').selectAll().where('email', '=', email).executeTakeFirst()
const kindsTo = async (email: string) => (await mailsTo(email)).map(({ kind }) => kind)

const codeIn = ({ text }: { text: string }, name: 'code' | 'cancel') =>
  decodeURIComponent(new RegExp(`/sale/reminder\\?${name}=([\\w.%-]+)`).exec(text)![1]!)

/** Requests and confirms a reminder. Returns the code of the link. */
async function aReminder(email: string, language: 'en' | 'cn' = 'en'): Promise<string> {
  await request(email, language)
  const code = codeIn((await mailsTo(email)).at(-1)!, 'code')
  expect((await confirm(code)).body).toEqual({ confirmed: true })
  return code
}

const closed = () => aSale(started, { isOpen: false })
/** Pretends that this time has passed since the sale opened. */
const sinceMinutes = (minutes: number, { services } = started) =>
  services.db
    .updateTable('sale_shown')
    .set({ open_since: sql<Date>`now() - ${minutes} * interval '1 minute' - interval '1 second'` })
    .where('open_since', 'is not', null)
    .execute()
/** Opens the sale, and lets the time pass after which reminders are sent. */
async function opened(api_: TestApi = started): Promise<void> {
  await aSale(api_)
  await followSale(api_.services)
  await sinceMinutes(reminderWaitMinutes, api_)
}
const days = (n: number) => sql<Date>`now() - ${n} * interval '1 day' - interval '1 minute'`

/** Marks waiting emails as sent. */
const deliver = () =>
  db.updateTable('mail').set({ state: 'sent' }).where('kind', '=', 'reminder-sale-open').execute()

test('sends a confirmed address one email when the sale opens, even with two instances, then deletes the address', async () => {
  const other = await startAnotherInstance(started)
  await closed()
  const [confirmed, chinese, pending] = [anEmail(), anEmail(), anEmail()]
  await aReminder(confirmed)
  await aReminder(chinese, 'cn')
  await request(pending)
  const follow = () => Promise.all([started, other, started, other].map((each) => followSale(each.services)))
  await follow()
  expect(await kindsTo(confirmed)).toEqual(['reminder-confirm'])
  await opened()
  for (let round = 0; round < 3; round += 1) await follow()
  for (const email of [confirmed, chinese])
    expect(await kindsTo(email)).toEqual(['reminder-confirm', 'reminder-sale-open'])
  expect((await mailsTo(chinese)).at(-1)!.text).toMatch(/代币发售[^]*\/cn\/sale\n/)
  expect(await kindsTo(pending)).toEqual(['reminder-confirm'])
  // The address is kept until the email has been sent.
  expect(await rowOf(confirmed)).toBeDefined()
  await deliver()
  await follow()
  expect([await rowOf(confirmed), await rowOf(chinese)]).toEqual([undefined, undefined])
  expect(await rowOf(pending)).toMatchObject({ confirmed_at: null })
  // A sale that is closed and opened again sends nothing more.
  await closed()
  await opened()
  await follow()
  expect(await kindsTo(confirmed)).toHaveLength(2)
})

test('a sale that is opened by mistake sends nothing if it is closed within minutes', async () => {
  const own = await startApi()
  const row = { email: anEmail(), language: 'en' as const, confirmed_at: new Date() }
  await own.services.db.insertInto('sale_reminder').values(row).execute()
  const sent = async () => {
    await followSale(own.services)
    return (await own.mailsTo(row.email)).length
  }
  await aSale(own)
  expect(await sent()).toBe(0)
  await sinceMinutes(reminderWaitMinutes - 1, own)
  expect(await sent()).toBe(0)
  await aSale(own, { isOpen: false })
  expect(await sent()).toBe(0)
  // The wait starts over, whatever had passed before.
  await aSale(own)
  expect(await sent()).toBe(0)
  await sinceMinutes(reminderWaitMinutes, own)
  expect(await sent()).toBe(1)
})

test('a reminder that is confirmed while the sale is sold out waits for the next sale', async () => {
  const own = await startApi()
  const { db } = own.services
  const member = await aSignedInMember(own)
  await transaction(db, (db) => replaceSale(db, saleSettings({ cap: '3000' }), null))
  await followSale(own.services)
  await sinceMinutes(reminderWaitMinutes, own)
  const { id } = await anOrder(own, member.id, { fabQty: '3000' })
  await followSale(own.services)
  const row = { email: anEmail(), language: 'en' as const, confirmed_at: new Date() }
  await db.insertInto('sale_reminder').values(row).execute()
  const shown = () => db.selectFrom('sale_shown').select('state').executeTakeFirst()
  expect(await shown()).toEqual({ state: 'soldOut' })
  await db.updateTable('token_order').set({ status: 'cancelled' }).where('id', '=', id).execute()
  await followSale(own.services)
  expect(await shown()).toEqual({ state: 'open' })
  await sinceMinutes(reminderWaitMinutes, own)
  await followSale(own.services)
  expect(await own.mailsTo(row.email)).toEqual([])
  await aSale(own, { isOpen: false })
  await followSale(own.services)
  await opened(own)
  await followSale(own.services)
  expect(await own.mailsTo(row.email)).toHaveLength(1)
})

test('the answer is the same for any address, and none is emailed twice', async () => {
  await closed()
  const [known, pending, unknown] = [anEmail(), anEmail(), anEmail()]
  await aReminder(known)
  await request(pending)
  const answers = await Promise.all([known, pending, unknown].map((email) => request(email)))
  expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1)
  for (let n = 0; n < 4; n += 1)
    for (const email of [known, pending, unknown]) expect((await request(email)).status).toBe(202)
  for (const email of [known, pending, unknown]) expect(await kindsTo(email)).toEqual(['reminder-confirm'])
  // Entering the address again doesn’t change a confirmed reminder.
  await request(known, 'cn')
  expect(await rowOf(known)).toMatchObject({ language: 'en' })
})

test('limits requests per address and per client', async () => {
  await closed()
  const email = anEmail()
  for (let n = 0; n < 12; n += 1) {
    await request(email)
    await db
      .updateTable('sale_reminder')
      .set({ asked_at: days(1) })
      .where('email', '=', email)
      .execute()
  }
  const mails = await mailsTo(email)
  expect(mails.length).toBeLessThanOrEqual(6)
  const calm = await startApi({ PROOF_OF_WORK: 'off' })
  const statuses: number[] = []
  for (let n = 0; n < 21; n += 1)
    statuses.push(
      (
        await calm.call(
          api.requestSaleReminder,
          { body: { email: anEmail(), language: 'en' } },
          { ip: '10.9.9.9' },
        )
      ).status,
    )
  expect(statuses.filter((status) => status === 202)).toHaveLength(20)
  expect(statuses.at(-1)).toBe(429)
})

test('an unconfirmed reminder expires, as does a confirmed one if no sale begins', async () => {
  await closed()
  const [late, old] = [anEmail(), anEmail()]
  await request(late)
  const code = codeIn((await mailsTo(late))[0]!, 'code')
  await db
    .updateTable('sale_reminder')
    .set({ asked_at: days(pendingReminderDays) })
    .where('email', '=', late)
    .execute()
  expect((await confirm(code)).problem.code).toBe('code_invalid')
  expect((await confirm('unknown.code')).problem.code).toBe('code_invalid')
  await aReminder(old)
  await db
    .updateTable('sale_reminder')
    .set({ confirmed_at: days(reminderDays) })
    .where('email', '=', old)
    .execute()
  const kept = anEmail()
  await aReminder(kept)
  await cleanUp(services)
  expect([await rowOf(late), await rowOf(old)]).toEqual([undefined, undefined])
  expect(await rowOf(kept)).toBeDefined()
})

test('the link in an email cancels the reminder, even while the email is still in the outbox', async () => {
  await closed()
  const [before, during] = [anEmail(), anEmail()]
  const code = await aReminder(before)
  expect((await cancel(code)).body).toEqual({ cancelled: true })
  expect(await rowOf(before)).toBeUndefined()
  // The response to a repeated request and to an unknown code is the same.
  expect((await cancel(code)).body).toEqual({ cancelled: true })
  expect((await confirm(code)).problem.code).toBe('code_invalid')

  await aReminder(during)
  await opened()
  await followSale(services)
  const mail = (await mailsTo(during)).at(-1)!
  expect(mail.kind).toBe('reminder-sale-open')
  await cancel(codeIn(mail, 'cancel'))
  expect(await rowOf(during)).toBeUndefined()
  const stopped = await db
    .selectFrom('mail')
    .select('state')
    .where('to_address', '=', during)
    .where('kind', '=', 'reminder-sale-open')
    .execute()
  expect(stopped).toEqual([{ state: 'stopped' }])
  expect(await kindsTo(before)).toEqual(['reminder-confirm'])
})

test('a reminder that is canceled while it is being confirmed is not confirmed', async () => {
  await closed()
  const email = anEmail()
  await request(email)
  const code = codeIn((await mailsTo(email))[0]!, 'code')
  let confirming: ReturnType<typeof confirm> | undefined
  await transaction(db, async (tx) => {
    await cancelReminder(tx, (await rowOf(email))!.id)
    confirming = confirm(code)
    const waiting = sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%sale_reminder%'`
    await expect.poll(async () => (await waiting.execute(db)).rows.length).toBeGreaterThan(0)
  })
  expect((await confirming)!.problem.code).toBe('code_invalid')
  expect(await rowOf(email)).toBeUndefined()
})

test('the database contains no code that opens a link, and a code opens one reminder only', async () => {
  await closed()
  const [own, other] = [anEmail(), anEmail()]
  const code = await aReminder(own)
  await request(other)
  const [id, hash] = code.split('.')
  const stored = await rowOf(own)
  expect(stored).toMatchObject({ id })
  expect(JSON.stringify(stored)).not.toContain(hash)
  const { id: otherId } = (await rowOf(other))!
  for (const wrong of [`${otherId}.${hash}`, `${otherId}.`, otherId, `${code}x`, '.']) {
    expect((await confirm(wrong)).problem.code).toBe('code_invalid')
    expect((await cancel(wrong)).body).toEqual({ cancelled: true })
  }
  expect(await rowOf(own)).toMatchObject({ confirmed_at: expect.any(Date) })
  expect(await rowOf(other)).toMatchObject({ confirmed_at: null })
})

/** Inserts this many confirmed reminders. */
const insertConfirmed = (db: Tx, count: number) =>
  sql`insert into sale_reminder (email, language, confirmed_at)
    select 'reader' || n || '@example.org', 'en', now() from generate_series(1, ${count}::int) n`.execute(db)

test('reminders that mail servers postpone don’t block the others, up to a limit', async () => {
  const own = await startApi()
  const { db } = own.services
  await insertConfirmed(db, 45)
  await opened(own)
  const writtenNow = async () => {
    const written = await db
      .updateTable('mail')
      .set({ attempts: 1, next_try_at: sql<Date>`now() + interval '1 hour'` })
      .where('attempts', '=', 0)
      .returning('id')
      .execute()
    return written.length
  }
  for (const count of [20, 20, 5]) {
    await followSale(own.services)
    expect(await writtenNow()).toBe(count)
  }
  // 495 postponed reminders leave room for 5 more.
  await sql`
    with postponed as (
      insert into mail (to_address, kind, attempts)
      select 'full' || n || '@example.org', 'reminder-sale-open', 1 from generate_series(1, 450) n
      returning id, to_address)
    insert into sale_reminder (email, language, confirmed_at, mail_id)
    select to_address, 'en', now(), id from postponed`.execute(db)
  await sql`insert into sale_reminder (email, language, confirmed_at)
    select 'late' || n || '@example.org', 'en', now() from generate_series(1, 10) n`.execute(db)
  for (const count of [5, 0]) {
    await followSale(own.services)
    expect(await writtenNow()).toBe(count)
  }
})

test('limits how many reminders wait in the outbox at a time, even with two instances', async () => {
  const own = await startApi()
  const other = await startAnotherInstance(own)
  await insertConfirmed(own.services.db, 45)
  await opened(own)
  const waiting = async () =>
    (await own.services.db.selectFrom('mail').select('id').where('state', '=', 'waiting').execute()).length
  await Promise.all([own, other, own, other].map(({ services }) => followSale(services)))
  expect(await waiting()).toBe(20)
  for (let round = 0; round < 3; round += 1) {
    await own.services.db.updateTable('mail').set({ state: 'sent' }).execute()
    await followSale(own.services)
  }
  const sent = await own.services.db.selectFrom('mail').select('to_address').execute()
  expect(new Set(sent.map(({ to_address }) => to_address)).size).toBe(45)
  expect(sent).toHaveLength(45)
})

test('a member’s export and erasure include only the reminder of their verified address', async () => {
  await closed()
  const member = await aSignedInMember(started)
  const token = { token: member.token }
  await aReminder(member.email)
  const prove = (at: Date | null) =>
    db.updateTable('member').set({ address_proved_at: at }).where('id', '=', member.id).execute()
  await prove(null)
  expect((await call(api.exportMember, {}, token)).body['saleReminder']).toEqual([])
  await prove(new Date())
  expect((await call(api.exportMember, {}, token)).body['saleReminder']).toMatchObject([
    { address: member.email, language: 'en', confirmedAt: expect.any(String) },
  ])
  expect((await call(api.previewErasure, {}, token)).body.erased).toContain('saleReminder')
  await call(api.eraseMember, { body: { current: member.password } }, token)
  expect(await rowOf(member.email)).toBeUndefined()
})

test('restoring a database deletes its reminders, which may have been sent or canceled since', async () => {
  const own = await startApi()
  const row = { email: anEmail(), language: 'en' as const, confirmed_at: new Date() }
  await own.services.db.insertInto('sale_reminder').values(row).execute()
  await sql`select end_what_was_open(now())`.execute(own.services.db)
  await opened(own)
  await followSale(own.services)
  expect(await own.mailsTo(row.email)).toEqual([])
})

test('a hidden sale accepts no reminders and sends none', async () => {
  await closed()
  const [waiting, refused] = [anEmail(), anEmail()]
  await aReminder(waiting)
  services.content.override(
    new Map([['facts/sale.json', { isPublic: false, isOnHome: true, isLeftShown: true }]]),
  )
  expect((await request(refused)).problem.code).toBe('not_found')
  await opened()
  await followSale(services)
  expect(await kindsTo(waiting)).toEqual(['reminder-confirm'])
  services.content.override(new Map())
  await followSale(services)
  expect(await kindsTo(waiting)).toEqual(['reminder-confirm', 'reminder-sale-open'])
})

test('reminders can be requested, confirmed, and canceled without JavaScript', async () => {
  await closed()
  const send = reminderInProcess(postInProcess(started.app, apiBase, services.config.appId))
  const sender = { ip: anIp(), language: 'cn' as const }
  const email = anEmail()
  const refused = await send({ email: 'nonsense' }, sender)
  expect(refused).toMatchObject({ status: 400, posted: { reminder: { given: { email: 'nonsense' } } } })
  expect(await send({ email }, sender)).toEqual({ posted: { reminder: { done: 'received' } }, status: 200 })
  const mail = (await mailsTo(email))[0]!
  expect(mail.subject).toContain('提醒')
  const code = codeIn(mail, 'code')
  expect((await send({ code }, sender)).posted).toEqual({ reminder: { done: 'confirmed' } })
  expect(await rowOf(email)).toMatchObject({ language: 'cn', confirmed_at: expect.any(Date) })
  expect((await send({ cancel: code }, sender)).posted).toEqual({ reminder: { done: 'cancelled' } })
  expect(await rowOf(email)).toBeUndefined()
  expect((await send({ code }, sender)).posted).toMatchObject({
    reminder: { problems: { '': expect.any(String) } },
  })
})
