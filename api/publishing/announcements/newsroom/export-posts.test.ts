import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { HOUR } from '#contract/platform/durations.ts'
import type { NewsroomFilters } from '#contract/publishing/newsroom.ts'
import { aNewsroom, inTime } from '#tests/newsroom.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call, create, remove } = await aNewsroom(started)

async function fileOf(query: NewsroomFilters): Promise<string[]> {
  const { body, headers } = await call(api.exportNewsroomPosts, { query })
  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(headers['content-disposition']).toMatch(/posts-\d{4}-\d\d-\d\d\.csv/)
  return String(body).trim().split('\r\n')
}

test('exports the filtered posts in list order, without formulas', async () => {
  await create({ title: '=filed("x"), quoted', status: 'draft' })
  await create({ title: 'filed and out' })
  const ahead = inTime(HOUR)
  const scheduled = await create({ title: 'filed for later', status: 'scheduled', ...ahead })
  const deleted = await create({ title: 'filed away' })
  await remove(deleted._id)

  const [head, ...rows] = await fileOf({ q: 'filed' })
  expect(head).toBe(
    'id,title,state,category,language,slug,author,lastEditor,published,publishAt,edited,changed,inTrashSince,versions,translation,translationState',
  )
  expect(rows.map((row) => row.split(',')[1]).slice(0, 2)).toEqual(['filed for later', 'filed and out'])
  expect(rows[0]).toMatch(
    new RegExp(`^${scheduled._id},filed for later,scheduled,.*,Sample Editor,,,${ahead.publishAt},`),
  )
  expect(rows[1]).toMatch(/,filed and out,published,.*,Sample Editor,,20\d\d-/)
  expect(rows[2]).toContain(`"'=filed(""x""), quoted",draft,`)
  expect(rows).toHaveLength(3)

  const trash = await fileOf({ state: 'deleted', q: 'filed' })
  expect(trash).toHaveLength(2)
  expect(trash[1]).toContain('filed away,deleted,')
})
