import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { DAY, MINUTE } from '#contract/platform/durations.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { aNewsroom } from '#tests/newsroom.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { runAndRollBack, statementRuns, transaction } from '../../platform/db/database.ts'
import { claimDueMail } from '../../platform/mail/mail.queries.ts'
import { storeAntiPhishingPhrase } from '../../platform/mail/anti-phishing-phrase.queries.ts'
import { mailNews } from './queue-issues.ts'

const texts: string[] = []
statementRuns.subscribe(({ text }) => texts.push(text))
const started = await startApi({ NEWSLETTER_PER_MINUTE: '60000' }, afterAll)
const { services } = started
const { db, keys } = services
const { create } = await aNewsroom(started)

const insertReaders = (name: string, count: number) =>
  sql`
  insert into subscriber (email, state, language, categories, rhythm, link_secret, consented_at)
  select ${name}::text || n || '@example.org', 'active', 'en', '{News}', 'each', 'x', now() - interval '1 day'
  from generate_series(1, ${count}::int) n`.execute(db)

test('a batch reads its readers’ phrases at once, and each email has its own', async () => {
  const member = await aSignedInMember(started)
  await storeAntiPhishingPhrase(db, keys, member.id, 'a sample phrase')
  await insertReaders('phrase', 30)
  await db
    .updateTable('subscriber')
    .set({ email: member.email })
    .where('email', '=', 'phrase1@example.org')
    .execute()
  await create({ title: 'To thirty', category: 'News' })
  await db
    .updateTable('newsletter_pace')
    .set({ fed_at: new Date(Date.now() - DAY) })
    .execute()
  texts.length = 0
  await mailNews(services)
  const asked = texts.filter((text) => text.includes('member_phrase'))
  expect(asked.length).toBeLessThanOrEqual(3)
  const news = async (email: string) =>
    (await started.mailsTo(email)).find(({ kind }) => kind === 'news-post')!.text
  expect(await news(member.email)).toContain('a sample phrase')
  expect(await news('phrase2@example.org')).not.toContain('a sample phrase')
})

test('finds an email that someone waits for among thousands of due newsletters without scanning them', async () => {
  await sql`insert into mail (id, to_address, kind, sealed_message, next_try_at, attempts)
    select 'due' || n, 'due@example.org', 'news-post', 'x', now() - interval '2 hours', 1 from generate_series(1, 5000) n`.execute(
    db,
  )
  await sql`analyze mail`.execute(db)
  const seen = await transaction(db, async (db) => {
    let read = 0
    await runAndRollBack(db, async () => {
      await claimDueMail(db, MINUTE, 'coin.example')
      const { rows } = await sql<{ read: string }>`
        select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as read
        from pg_stat_xact_user_tables where relname = 'mail'`.execute(db)
      read = Number(rows[0]?.read ?? 0)
    })
    return read
  })
  expect(seen).toBeLessThan(100)
})
