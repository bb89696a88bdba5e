import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { modules } from '#api/app.ts'
import type { ErasureEffect, Personal } from '#api/module.ts'
import { api } from '#contract/api.ts'
import { aSignedInMember } from '#tests/builders.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import {
  canHoldData,
  dropChecks,
  holds,
  plantRows,
  readColumns,
  readRows,
  type Column,
} from './personal-data/plant.ts'

/** Tables without members' data. */
const ofInstallation = [
  'app',
  'sale',
  'pay_method',
  'signing_key',
  'fingerprint_key',
  'imported_password_kind',
  'pending_file',
  // IDs, until they are recorded in the erasure ledger.
  'erasure_to_note',
  'restored_backup',
  'throttle',
  'four_eyes',
  'withdrawn_price',
  'withdrawn_address',
  'built_file',
  'program_instance',
  'job_run',
  'change',
  'backup_run',
  'chain_account',
  'chain_watch',
  'chain_block',
  'newsletter_pace',
  'newsletter_digest_post',
  // IDs that are deleted with the subscription.
  'newsletter_owed_post',
]

/** Columns without personal data, each with its reason. All others are declared by a module, in `personal.columns`. */
const impersonal: [columns: RegExp, reason: string][] = [
  [new RegExp(String.raw`^(${ofInstallation.join('|')})\.(?!\w+_by$)`), 'the installation’s own'],
  [/^announcement(_version|_former_slug|_picture)?\.(?!\w+_by$)/, 'published by the project'],
  [/^announcement_working_copy\.(id|announcement_id|translation_of|category)$/, 'ids and one of a list'],
  [
    /^content_(\w+)\.(?!(\w+_by|by_member_id|confirmed_by_member_id|member_id|token_hash|reason)$)/,
    'published by the project',
  ],
  [/^audit_entry\.(action|subject_kind|hash|previous_hash)$/, 'words and hashes of the server'],
  [/^kyc_(photo\.(content_type|verdict)|fingerprint\.kind)$/, 'words of the server'],
  [/^audit_check\.(head|broken_why)$/, 'a hash, and one of a list'],
  [/^mail\.(kind|id)$/, 'words of the server'],
  [/^newsletter_(issue\.fed_through|mail\.mail_id)$/, 'ids that the server made'],
  [/^chain_\w+\.coin$/, 'the code of a coin'],
  [/^chain_payment\.left_to_person$/, 'one of a list'],
  [/^statement_layout\.(id|mapping)$/, 'a hash, and which column of a statement holds what'],
  [/^withdrawal_period\.(last_day|time_zone)$/, 'what the settings said'],
  [/^webhook_(event\.type|delivery\.(last_error|tries))$/, 'words and figures of the server'],
  [/^webhook_endpoint\.(?!\w+_by$)/, 'the operator’s own machines'],
  [/^ambassador_application\.id$|\.id$/, 'ids that the server makes'],
]

/** They are kept as long as the orders. */
const ofOrders = [
  'token_order',
  'order_step',
  'order_officer',
  'order_withdrawal',
  'refund_transaction',
  'withdrawal_period',
  'statement_line',
  'chain_address',
  'chain_transfer',
  'chain_payment',
]

/** Every member has a row in them from the start. */
const keptByTriggers = ['member_summary', 'member_words']

type ErasureEffects = Map<string, ErasureEffect>
const effects: ErasureEffects = new Map(
  modules.flatMap((noun) => {
    const columns = ('personal' in noun ? (noun.personal as Personal).columns : {}) as Record<
      string,
      Record<string, ErasureEffect>
    >
    return Object.entries(columns).flatMap(([table, effectOf]) =>
      Object.entries(effectOf).map(([column, effect]): [string, ErasureEffect] => [
        `${table}.${column}`,
        effect,
      ]),
    )
  }),
)
const nameOf = ({ table, column }: Column) => `${table}.${column}`

/** Values for columns whose constraints a marker would violate. */
const fixedOf = (started: TestApi, member: { id: string; email: string }) => ({
  audit_entry: { hash: null, previous_hash: null },
  ambassador_profile: { picture: 'planted-picture' },
  kyc_photo: { file_key: 'kyc/planted-photo' },
  kyc_staged_photo: { file_key: 'kyc/planted-staged-photo' },
  mail: { to_address: member.email },
  ambassador_application: { email: member.email },
  member_phrase: { sealed_phrase: started.services.keys.seal('phrase', member.id, 'planted') },
})

async function planted(settings: { isRetained: boolean }) {
  const started = await startApi()
  const client = new pg.Client({ connectionString: started.services.config.databaseUrl! })
  await client.connect()
  client.on('error', () => {})
  onTestFinished(() => client.end())
  const columns = await readColumns(client)
  await dropChecks(client)
  const member = await aSignedInMember(started)
  const words = columns.filter(
    ({ table, column, type }) =>
      table === 'member' && type === 'text' && !/^(id|email|password_hash)$/.test(column),
  )
  await client.query(
    `update member set ${words.map(({ column }) => `${column} = 'planted ${column}'`).join(', ')} where id = $1`,
    [member.id],
  )
  const fixed = fixedOf(started, member)
  await plantRows(
    client,
    columns,
    member.id,
    {
      ...fixed,
      // Without a proposed final rejection.
      kyc_application: settings.isRetained
        ? { status: 'approved' }
        : { status: 'rejected', final_proposed_by: null },
    },
    [...ofInstallation, ...keptByTriggers, ...(settings.isRetained ? [] : ofOrders)],
  )
  await client.query(`update member_words set grams = '{planted}' where id = $1`, [member.id])
  const { rows } = await client.query<{ password_hash: string }>(
    'select password_hash from member where id = $1',
    [member.id],
  )
  const phrase = `\\x${fixed.member_phrase.sealed_phrase.toString('hex')}`
  const known = new Set([member.id, member.email, rows[0]!.password_hash, phrase])
  return { started, client, columns, member, known }
}

test('every column that can hold somebody’s data is declared by its noun', async () => {
  const { columns } = await planted({ isRetained: true })
  const open = columns
    .filter(canHoldData)
    .map(nameOf)
    .filter((name) => !effects.has(name) && !impersonal.some(([some]) => some.test(name)))
  expect(open).toEqual([])
  const known = new Set(columns.map(nameOf))
  expect([...effects.keys()].filter((name) => !known.has(name))).toEqual([])
})

test.each([true, false])(
  'no column with personal data outlives an erasure (the law requires something to be retained: %s)',
  async (isRetained) => {
    const { started, client, columns, member, known } = await planted({ isRetained })
    const personal = columns.filter(
      (column) => canHoldData(column) && !impersonal.some(([some]) => some.test(nameOf(column))),
    )
    const stays = async () => {
      const rows = await readRows(client, columns)
      return personal.filter((column) => holds(rows, column, known)).map(nameOf)
    }
    const with_ =
      (...wanted: ErasureEffect[]) =>
      (name: string) =>
        wanted.includes(effects.get(name)!)
    const before = await stays()
    const unplanted = personal.map(nameOf).filter((name) => !before.includes(name))
    if (isRetained) expect(unplanted.filter(with_('erased', 'retained', 'expires'))).toEqual([])
    // The inserted passkey is a factor, which the session must have proved.
    await client.query('update session set has_proved_factor = true')
    const erased = await started.call(
      api.eraseMember,
      { body: { current: member.password } },
      { token: member.token },
    )
    expect(erased.status).toBe(200)
    // The notification of the erasure itself has not been sent yet.
    await client.query(`delete from mail where kind = 'account-erased'`)
    const after = await stays()
    expect(
      after.filter(
        (name) => !with_('remains', 'expires', ...(isRetained ? (['retained'] as const) : []))(name),
      ),
    ).toEqual([])
    await client.query(`update member set erased_at = now() - interval '6 years' where id = $1`, [member.id])
    await cleanUp(started.services)
    expect((await stays()).filter((name) => !with_('remains', 'expires')(name))).toEqual([])
  },
)
