import type { Tx } from '#api/platform/db/database.ts'
import { upsertView } from '#api/console/views/console-view.queries.ts'
import type { OperatorName, SampleWorld } from './world.ts'

type SampleView = { by: OperatorName; list: string; name: string; query: string; isShared: boolean }

/** Views of lists that colleagues share, and one that the administrator keeps to themselves. */
const views: readonly SampleView[] = [
  {
    by: 'finance2',
    list: 'orders',
    name: 'Payments to check',
    query: 'status=pending&flag=payment_reported&sort=deadline',
    isShared: true,
  },
  { by: 'finance2', list: 'orders', name: 'Large orders', query: 'coin=BTC&min=0.1', isShared: true },
  {
    by: 'finance2',
    list: 'identity',
    name: 'Not assigned',
    query: 'assignee=available',
    isShared: true,
  },
  { by: 'employee2', list: 'members', name: 'Staff', query: 'right=any', isShared: true },
  {
    by: 'admin',
    list: 'members',
    name: 'Without second factor',
    query: 'right=any&factor=no',
    isShared: false,
  },
]

export async function insertSampleViews(db: Tx, { operators }: SampleWorld): Promise<void> {
  for (const { by, ...view } of views) await upsertView(db, operators[by], view)
}
