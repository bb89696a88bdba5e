import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { modules } from '#api/app.ts'
import { statementRuns } from '#api/platform/db/database.ts'
import type { ErasureEffect, Personal } from '#api/platform/module.ts'
import { api } from '#contract/api.ts'
import { anAmbassador, aSubmittedProfile } from '#tests/ambassadors.ts'
import { anApplication, anOrder, aSignedInMember } from '#tests/builders.ts'
import { aConversation } from '#tests/conversations.ts'
import { cleanUp } from '#tests/clean-up.ts'
import { dropChecks, plantRows, readColumns, type Column } from '#tests/setup/plant-rows.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'

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
  'skipped_setup_step',
  'withdrawn_price',
  'withdrawn_address',
  'built_file',
  'read_count',
  'read_salt',
  // Hashes that nobody can trace once the salt of the day is deleted.
  'read_mark',
  'program_instance',
  'job_run',
  'change',
  'backup_run',
  'mail_pause',
  'chain_account',
  'chain_watch',
  'chain_block',
  'sale_shown',
  'newsletter_pace',
  'newsletter_digest_post',
  // IDs that are deleted with the subscription.
  'newsletter_owed_post',
]

/** `table -> rows`, each as PostgreSQL formats it in JSON. */
type Rows = Map<string, Record<string, unknown>[]>

const textual = new Set(['text', 'bytea', 'jsonb', 'json', 'text[]', 'citext'])

/** Whether it can contain text, secrets, or IDs of a person. */
const canHoldData = ({ type, refersTo, column }: Column): boolean =>
  (textual.has(type) && (refersTo === null || refersTo === 'member')) || column === 'member_id'

/** Returns every row of the database. */
async function readRows(client: pg.Client, columns: readonly Column[]): Promise<Rows> {
  const all: Rows = new Map()
  for (const table of new Set(columns.map((each) => each.table))) {
    const { rows } = await client.query<{ row: Record<string, unknown> }>(
      `select to_jsonb(t) as row from ${table} t`,
    )
    all.set(
      table,
      rows.map(({ row }) => row),
    )
  }
  return all
}

/** `known` contains values of the member other than the markers, such as their ID. */
const holds = (rows: Rows, { table, column }: Column, known: ReadonlySet<unknown>): boolean =>
  (rows.get(table) ?? []).some((row) => {
    const text = JSON.stringify(row[column] ?? '')
    return text.includes('planted') || text.includes(hexMark) || known.has(row[column])
  })

const hexMark = Buffer.from('planted').toString('hex')

/** Columns without personal data, each with its reason. All others are declared by a module, in `personal.columns`. */
const impersonal: [columns: RegExp, reason: string][] = [
  [new RegExp(String.raw`^(${ofInstallation.join('|')})\.(?!\w+_by$)`), 'the installation’s own'],
  [/^sale_round(_price)?\./, 'what the project offers'],
  [/^announcement(_version|_former_slug|_picture)?\.(?!\w+_by$)/, 'published by the project'],
  [
    /^announcement_working_copy\.(id|announcement_id|translation_of|category|byline)$/,
    'ids and one of a list',
  ],
  [
    /^content_(\w+)\.(?!(\w+_by|by_member_id|confirmed_by_member_id|member_id|token_hash|reason)$)/,
    'published by the project',
  ],
  [/^audit_entry\.(action|subject_kind|hash|previous_hash)$/, 'words and hashes of the server'],
  [/^kyc_(photo\.(content_type|verdict)|fingerprint\.kind)$/, 'words of the server'],
  [/^audit_check\.(head|broken_why)$/, 'a hash, and one of a list'],
  [/^(mail\.(kind|id)|member_notification\.kind|mail_event_source\.provider)$/, 'words of the server'],
  [/^newsletter_(issue\.fed_through|mail\.mail_id)$/, 'ids that the server made'],
  [/^chain_\w+\.coin$/, 'the code of a coin'],
  [/^chain_payment\.left_to_person$/, 'one of a list'],
  [/^statement_layout\.(id|mapping)$/, 'a hash, and which column of a statement holds what'],
  [/^withdrawal_period\.(last_day|time_zone)$/, 'what the settings said'],
  [
    /^payout_(hold\.cause|run\.(network|contract|hash|cancel_delivery_ids)|export\.(format|file_hash))$/,
    'made by the server',
  ],
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
  'delivery',
  'payout_item',
  'payout_dismissed',
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
  conversation_attachment: { file_key: 'messages/planted-attachment' },
  mail: { to_address: member.email },
  ambassador_application: { email: member.email },
  sale_reminder: { email: member.email },
  sale_round_guest: { email: member.email },
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
    ({ table, column, type, refersTo }) =>
      table === 'member' &&
      type === 'text' &&
      refersTo === null &&
      !/^(id|email|password_hash)$/.test(column),
  )
  await client.query(
    `update member set assignee_id = id, ${words.map(({ column }) => `${column} = 'planted ${column}'`).join(', ')} where id = $1`,
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

/** Tables with members' data that the data export leaves out, by reason. */
const unexported: [reason: string, tables: readonly string[]][] = [
  [
    'secrets, codes, and their hashes',
    [
      'ambassador_status_link',
      'content_preview',
      'conversation_answer_link',
      'idempotency_key',
      'known_device',
      'mailbox_code',
      'member_client',
      'passkey_challenge',
      'recovery_code',
      'reset_code',
      'sign_up',
      'spent_refresh_token',
    ],
  ],
  [
    'derived from what the export contains',
    [
      'ambassador_point',
      'counted_mailbox',
      'kyc_fingerprint',
      'mailbox_reached',
      'member_words',
      'refund_transaction',
      'webhook_delivery',
      'webhook_event',
    ],
  ],
  [
    'notes and acts of staff',
    ['erasure_request', 'lost_factor', 'order_officer', 'sale_setter', 'staff_invitation', 'staff_mention'],
  ],
  ['offers that end after minutes', ['order_quote']],
  ['bank statements of the project, which also name other people', ['statement_line']],
]

test('the data export reads every table with members’ data, except those in a list', async () => {
  const texts: string[] = []
  onTestFinished(statementRuns.subscribe(({ text }) => texts.push(text)))
  const started = await startApi()
  const member = await aSignedInMember(started)
  await anApplication(started, member, 'approved')
  await anOrder(started, member.id)
  await aConversation(started, member)
  await aSubmittedProfile(started, await anAmbassador(started, { memberId: member.id }))
  texts.length = 0
  const query = { format: 'json' } as const
  expect((await started.call(api.exportMember, { query }, { token: member.token })).status).toBe(200)
  const read = new Set(texts.join(' ').match(/\w+/g))
  const tables = [...effects]
    .filter(([, effect]) => effect !== 'remains')
    .map(([name]) => name.split('.')[0]!)
  const missing = [...new Set(tables)].filter((table) => !read.has(table))
  expect(missing.toSorted()).toEqual(unexported.flatMap(([, tables]) => tables).toSorted())
})
