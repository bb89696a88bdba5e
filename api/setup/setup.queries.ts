import { sql } from 'kysely'
import type { SetupStepName } from '#contract/console/console-setup.ts'
import type { Tx } from '../platform/db/database.ts'

export async function listSkippedSteps(db: Tx): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('skipped_setup_step').select('step').execute()
  return new Set(rows.map(({ step }) => step))
}

/** Returns whether this changed anything. */
export async function insertSkippedStep(db: Tx, step: SetupStepName): Promise<boolean> {
  const row = await db
    .insertInto('skipped_setup_step')
    .values({ step })
    .onConflict((conflict) => conflict.column('step').doNothing())
    .returning('step')
    .executeTakeFirst()
  return row !== undefined
}

/** Returns whether this changed anything. */
export async function deleteSkippedStep(db: Tx, step: SetupStepName): Promise<boolean> {
  const row = await db
    .deleteFrom('skipped_setup_step')
    .where('step', '=', step)
    .returning('step')
    .executeTakeFirst()
  return row !== undefined
}

export async function hasPublishedPost(db: Tx): Promise<boolean> {
  const post = await db
    .selectFrom('announcement')
    .select('id')
    .where('state', '=', 'published')
    .limit(1)
    .executeTakeFirst()
  return post !== undefined
}

/** Whether members can order a coin now, or from an announced start on. */
export async function hasSale(db: Tx): Promise<boolean> {
  const sale = await db
    .selectFrom('sale')
    .select('sale.id')
    .where('sale.is_open', '=', true)
    .where(sql<boolean>`coalesce(closes_at > clock_timestamp(), true)`)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('pay_method').select('code').where('pay_method.is_open', '=', true)),
    )
    .executeTakeFirst()
  return sale !== undefined
}
