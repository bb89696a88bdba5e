import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import { aNewsroom } from '#tests/newsroom.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { explain, statementsOf } from '../../../bench/installation/plans.ts'
import { listRelated } from './related.queries.ts'
import { titleWordsOf } from './title-words.ts'

const started = await startApi({}, afterAll)
const { db } = started.services
const { create, remove } = await aNewsroom(started)

const relatedTo = async ({ slug, language }: { slug: string; language: string }) =>
  (await started.call(api.getPost, { params: { lang: language, slug } })).body.related.map(
    ({ title }) => title,
  )

test('compares words of titles except common ones, and Chinese by pairs of characters', () => {
  expect(titleWordsOf('What’s new: Node 3.2 with faster SYNC, and node tips')).toEqual([
    'node',
    'faster',
    'sync',
    'tips',
  ])
  expect(titleWordsOf('节点 3.2 版发布')).toEqual(['节点', '版发', '发布'])
  expect(titleWordsOf('🚀 !!')).toEqual([])
})

test('lists posts with the same category and words, newest first, and no hidden ones', async () => {
  await create({ title: 'Wallet audit finished', category: 'Partnerships' })
  await create({ title: 'A meetup in Oslo', category: 'Events' })
  await create({ title: 'Node release notes', category: 'News' })
  await create({ title: 'Older technical note', category: 'Technical Updates' })
  await create({ title: 'Newer technical note', category: 'Technical Updates' })
  await create({ title: 'Node release in secret', category: 'Technical Updates', status: 'draft' })
  await create({ title: 'Node release 节点', category: 'Technical Updates', language: 'cn' })
  const trashed = await create({ title: 'Node release deleted', category: 'Technical Updates' })
  await remove(trashed._id)
  const post = await create({ title: 'Node release 3.3', category: 'Technical Updates' })
  // Two shared words count as much as the category. Among equals, the newest comes first.
  expect(await relatedTo(post)).toEqual([
    'Newer technical note',
    'Older technical note',
    'Node release notes',
  ])
  const alone = await create({ title: '独立公告', language: 'cn', category: 'Events' })
  expect(await relatedTo(alone)).toEqual(['Node release 节点'])
})

test('finds related posts among ten thousand with one indexed query', async () => {
  // Inserted in batches, because each row is also added to the index of the pictures.
  for (let first = 1; first < 10_000; first += 1000)
    await sql`
      insert into announcement (title, slug, category, language, content, content_summary, state, posted_at)
      select 'Node report ' || n, 'bulk-' || n, case n % 1000 when 0 then 'Partnerships' else 'Events' end,
        (case n % 2 when 0 then 'en' else 'cn' end)::language, '<p>text</p>', '<p>text</p>', 'published',
        now() - n * interval '1 hour'
      from generate_series(${first}::int, ${first}::int + 999) n`.execute(db)
  await sql`analyze announcement`.execute(db)
  const client = new pg.Client({ connectionString: started.services.config.databaseUrl! })
  await client.connect()
  onTestFinished(() => client.end())
  const post = { id: 'none', title: 'Node report 4', category: 'Partnerships', language: 'en' as const }
  const statements = await statementsOf(() => listRelated(db, post))
  expect(statements).toHaveLength(1)
  const { indexes, scanned, pages } = await explain(client, new Set(['announcement']), statements)
  expect([...scanned]).toEqual([])
  expect([...indexes]).toContain('announcement_category_list')
  // The whole table has several thousand pages.
  expect(pages).toBeLessThan(1500)
})
