import pg from 'pg'
import { expect, test } from 'vitest'
import { aSignedInMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'
import { explain, statementsOf } from '../../bench/installation/plans.ts'
import { lists, words } from '../../bench/console-at-scale/lists.ts'

/** Changes of the settings are made by hand, so the list stays short. The other role requests the same list. */
const mayBeLong = ({ name, chair }: (typeof lists)[number]) => !chair && name !== 'history of the sale'

/** A small installation. The benchmark `console-at-scale` shows how the database behaves with many rows. */
test('each list of the console can be read in each of its orders, and by each of its filters, without reading a table whole or sorting it', async () => {
  const started = await startApi()
  const { token } = await aSignedInMember(started, { is_write_access_admin: true, manage_finance: 2 })
  const client = new pg.Client({ connectionString: started.services.config.databaseUrl! })
  await client.connect()
  await client.query('set enable_seqscan = off')
  await client.query('set enable_sort = off')
  const tables = new Set([
    'member_summary',
    'token_order',
    'delivery',
    'payout_run',
    'payout_item',
    'mail',
    'audit_entry',
    'kyc_application',
    'announcement',
    'setting_version',
    'ambassador_application',
  ])
  const wrong: string[] = []
  for (const { endpoint, filters, sorts } of lists.filter(mayBeLong)) {
    const oneOfEach = new Map(filters.toReversed().map((filter) => [Object.keys(filter)[0], filter])).values()
    for (const query of [...sorts.map((sort) => ({ sort })), ...oneOfEach]) {
      const sent = await statementsOf(() => started.call(endpoint, { query } as never, { token }))
      const way = await explain(
        client,
        tables,
        sent.filter(({ text }) => / limit \$?\d+$/.test(text)),
      )
      if (way.scanned.size > 0 || way.isSorted || way.plans.length === 0)
        wrong.push(`${endpoint.path} ${words(query)}`)
    }
  }
  await client.end()
  expect(wrong).toEqual([])
})
