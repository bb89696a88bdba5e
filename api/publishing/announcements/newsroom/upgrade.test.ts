import { expect, test } from 'vitest'
import { databaseBefore } from '#tests/setup/backups.ts'

test('each post of an older release becomes one version, public since its last save', async () => {
  const { client, upgrade } = await databaseBefore('0008-newsroom')
  await client.query(`
    insert into announcement (id, slug, title, category, language, content, content_summary, state, posted_at, edited_at, deleted_at)
    values ('a', 'a', 'Kept', 'News', 'en', '<p>a</p>', '', 'published', '2026-01-01Z', '2026-02-01Z', null),
      ('b', 'b', 'Gone', 'News', 'cn', '<p>b</p>', '', 'deleted', '2026-03-01Z', null, '2026-04-01Z')`)
  await upgrade()
  const { rows } = await client.query(`
    select id, state, state_before_trash as before, version, changed_at, n, v.title, v.content, v.language, saved_at, published_at
    from announcement join announcement_version v on announcement_id = id order by id`)
  const [february, march] = [new Date('2026-02-01Z'), new Date('2026-03-01Z')]
  expect(rows).toEqual([
    {
      id: 'a',
      state: 'published',
      before: null,
      version: 1,
      changed_at: february,
      n: 1,
      title: 'Kept',
      content: '<p>a</p>',
      language: 'en',
      saved_at: february,
      published_at: february,
    },
    {
      id: 'b',
      state: 'deleted',
      before: 'published',
      version: 1,
      changed_at: march,
      n: 1,
      title: 'Gone',
      content: '<p>b</p>',
      language: 'cn',
      saved_at: march,
      published_at: march,
    },
  ])
})
