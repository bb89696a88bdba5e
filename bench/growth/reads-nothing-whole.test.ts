import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { copyTemplate, dropDatabase } from '#tests/setup/database-copy.ts'
import { modules } from '../../api/app.ts'
import { openDatabase } from '../../api/platform/db/database.ts'
import type { Module } from '../../api/platform/module.ts'
import { fill } from '../installation/fill.ts'
import { openFrontDoor } from '../installation/front-door.ts'
import { explain, listLargeTables, statementsOf } from '../installation/plans.ts'
import { sizesAt } from '../installation/sizes.ts'
import { askQuestion } from './ask-question.ts'
import { questions } from './questions.ts'

/** 30,000 members, 10,000 applications, and 6,000 orders: enough for the planner to prefer an index. */
const scale = 0.03
const largeTable = 4500
const declared: readonly Module[] = modules
const exportParts = declared.flatMap(({ personal }) => Object.keys(personal?.parts ?? {})).length
/**
 * Maximum number of statements per request or step. The data export sends one or two for each of its parts, and
 * four-eyes approval counts the approvers of each of its four areas.
 */
const statementsMax = 8
const more: Record<string, number> = {
  'export of a member': 2 * exportParts,
  'house-keeping: fourEyes': 16,
}

/**
 * The filled database has neither files nor fingerprints, so these steps have work to do that a real installation has
 * already done.
 */
const working = ['house-keeping: missingFingerprints', 'house-keeping: filesOfDestroyed']

test(
  'no call and no step of house-keeping reads a large table whole, or sends a statement for each row',
  { tags: ['nightly'] },
  async () => {
    const url = await copyTemplate()
    const db = openDatabase(url, () => {})
    await fill(db, sizesAt(scale))
    await db.destroy()
    const door = await openFrontDoor(url)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    onTestFinished(async () => {
      await client.end()
      await door.stop()
      await dropDatabase(url)
    })
    const large = await listLargeTables(client, largeTable)
    expect([...large]).toEqual(
      expect.arrayContaining(['member', 'kyc_application', 'token_order', 'audit_entry']),
    )
    const wrong: string[] = []
    for (const question of questions().filter(({ name }) => !working.includes(name))) {
      const { name } = question
      const statements = await statementsOf(() => askQuestion(door, question))
      const { scanned } = await explain(client, large, statements)
      if (scanned.size > 0) wrong.push(`${name} reads ${[...scanned].join(', ')}`)
      if (statements.length > (more[name] ?? statementsMax)) wrong.push(`${name} sends ${statements.length}`)
    }
    expect(wrong).toEqual([])
    // Reads by triggers do not appear in plans. Earlier reads that were not counted elsewhere yet are counted here as
    // well.
    const scansOfPosts = async () =>
      (await client.query(`select pg_stat_get_xact_numscans('announcement'::regclass)::int as scans`)).rows
    await client.query('begin')
    const before = await scansOfPosts()
    const { rowCount } = await client.query(
      `update member set display_name = display_name || '!' where id in (select id from member order by id desc limit 3)`,
    )
    expect([rowCount, await scansOfPosts()]).toEqual([3, before])
  },
)
