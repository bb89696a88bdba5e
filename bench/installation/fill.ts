import { sql } from 'kysely'
import type { Database } from '../../api/platform/db/database.ts'
import { insertPosts } from './posts.ts'
import type { Sizes } from './sizes.ts'

type Index = { name: string; table: string; make: string }

/** SQL for a number from 0 to `below` (exclusive) in random order, the same in every run. */
const any = (seed: string, below: number | string) => `(abs(hashtext('${seed}' || n)) % ${below})`
const oneOf = (seed: string, values: readonly string[]) =>
  `(array[${values.map((value) => `'${value}'`).join(', ')}])[1 + ${any(seed, values.length)}]`
const memberOf = (seed: string, members: number) => `'member-' || (1 + ${any(seed, members)})`
/** One of twenty staff members. */
const officerOf = (seed: string) => `'member-' || (1 + ${any(seed, 20)})`
const rowsOf = (count: number) => `generate_series(1, ${count}) n`

type Filled = { table: string; text: string }

/** The number of the newest order whose delivery is in a payout run, and that of the newest run. */
const deliveredOf = (orders: number) => orders - Math.ceil(orders / 20)
const lastRunOf = (orders: number) => Math.floor(deliveredOf(orders) / 100)

/**
 * Members join at an even pace, the newest one now. The oldest third is verified, so that values that are rare among
 * the newest members are far down the list. Few orders and cases are pending; emails cover 30 days and the audit log
 * two years.
 */
const rowsAt = ({ members, cases, orders, mails, entries, subscribers }: Sizes): readonly Filled[] => [
  {
    table: 'member',
    text: `insert into member (id, email, first_name, last_name, active, activated_at, password_hash, created_at,
        manage_news, manage_employee, manage_finance, manage_coins, is_write_access_admin, password_length_ok_for_staff, address_proved_at)
      select 'member-' || n,
        (array['anna', 'li.na', 'tomas', 'mei', 'olga', 'john', 'ana.maria', 'wei'])[1 + n % 8] || n
          || (array['@gmail.example', '@mail.example.org', '@fjord.example'])[1 + (n % 100) / 49],
        (array['Anna', '娜', 'Tomás', 'Mei', 'Olga', 'John', 'Ana', '伟'])[1 + n % 8],
        (array['Larsen', '李', 'Silva', 'Chen', 'Petrova', 'Appleseed', '王'])[1 + n % 7]
          || case when n % 1000 = 7 then ' Hemlock' else '' end,
        n % 10 <> 0, case when n % 10 <> 0 then joined + interval '1 hour' end, 'x', joined,
        case when n % 20000 = 1 then 2 else 0 end, case when n <= 20 then 2 else 0 end,
        case when n % 30000 = 1 or n <= 20 then 2 else 0 end, case when n = 1 then 2 else 0 end, n = 1, true, joined
      from ${rowsOf(members)}
      cross join lateral (select now() - (${members} - n) * interval '3 minutes' as joined) at`,
  },
  {
    table: 'kyc_application',
    text: `insert into kyc_application (id, member_id, full_name, last_name, email, eth_address, date_of_birth, status, created_at,
        decided_at, decided_by, assignee_id, is_final, possible_matches, deleted_at)
      select 'case-' || n, 'member-' || n, ${oneOf('first', ['Anna', '娜', 'Tomás', 'Mei', 'Olga'])},
        ${oneOf('last', ['Larsen', '李', 'Silva', 'Chen', 'Petrova'])}, 'case' || n || '@example.org',
        '0x' || md5('eth' || n) || '00000000', '1980-01-01', status::kyc_state, handed_in,
        case when status in ('approved', 'rejected', 'expired') then handed_in + (1 + ${any('hours', 90)}) * interval '1 hour' end,
        case when status in ('approved', 'rejected') then ${officerOf('decided')} end,
        case when status in ('submitted', 'in_review') and n % 3 = 0 then ${officerOf('taken')} end,
        status = 'rejected' and n % 7 = 0, case when n % 1000 = 3 then 1 else 0 end,
        case when n % 211 = 0 then handed_in + interval '9 days' end
      from ${rowsOf(cases)}
      cross join lateral (select
        now() - (${cases} - n) * interval '3 minutes' as handed_in,
        case when n % 700 = 1 then 'submitted' when n % 1900 = 2 then 'in_review' when n % 3000 = 3 then 'more_info'
          when n % 50 = 0 then 'rejected' when n % 60 = 4 then 'expired' when n % 900 = 5 then 'withdrawn'
          else 'approved' end as status) made`,
  },
  {
    table: 'kyc_step',
    text: `insert into kyc_step (application_id, from_status, to_status, by_member_id, at)
      select id, 'submitted', status, decided_by, decided_at from kyc_application where decided_at is not null`,
  },
  {
    table: 'kyc_photo',
    text: `insert into kyc_photo (application_id, n, file_key, content_type, bytes, content_hash)
      select 'case-' || n, 1, 'file-' || n, 'image/jpeg', 100000, md5('photo' || n) from ${rowsOf(cases)}`,
  },
  {
    table: 'kyc_fingerprint',
    text: `insert into kyc_fingerprint (application_id, kind, hash)
      select 'case-' || n, kind, md5(kind || case when n % 5000 = 1 then 1 else n end)
      from ${rowsOf(cases)}, (values ('document'), ('email')) kinds (kind)`,
  },
  {
    table: 'token_order',
    text: `insert into token_order (id, member_id, reference, pay_method, currency, amount, fab_qty, rate, status, tx_id, tx_key,
        created_at, updated_at, pay_before, is_reported_late, is_disputed, is_tx_shared, completion_proposed_by,
        completion_proposed_at, eth_address, fab_address)
      select 'order-' || n, ${memberOf('buyer', members)},
        upper(lpad(to_hex((n::bigint * 829373737) % 1099511627776), 10, '0')), coin || ' direct', coin,
        case when n % 40 <> 0 then round((1 + ${any('amount', 5_000_000)}) / 1000.0, 3) end, n % 900 + 1, 0.01, status::order_state,
        case when is_paid then md5('tx' || n) || md5('of' || n) else '' end,
        case when is_paid then md5('tx' || n) || md5('of' || n) else '' end,
        placed, placed, case when n % 25 <> 0 then placed + interval '1 day' end,
        status = 'pending' and n % 300 = 1, status = 'pending' and n % 500 = 1, n % 4000 = 2,
        case when status = 'pending' and n % 400 = 1 then 'member-2' end,
        case when status = 'pending' and n % 400 = 1 then placed end, '0x' || md5('eth' || n) || '00000000', 'F' || md5('tokens' || n)
      from ${rowsOf(orders)}
      cross join lateral (select
        now() - (${orders} - n) * interval '5 minutes' as placed,
        case when n % 100 = 1 or n > ${orders - Math.ceil(orders / 100)} then 'pending' when n % 5 = 0 then 'cancelled' else 'completed' end
          as status,
        (array['BTC', 'ETH', 'USDT', 'USDT', 'USDT', 'ETH', 'ETH', 'ETH', 'ETH', 'DOGE'])[
          1 + case when n % 997 = 0 then 9 else n % 9 end] as coin) made
      cross join lateral (select status = 'completed' or (status = 'pending' and ${any('paid', 4)} = 0) as is_paid) paid`,
  },
  {
    table: 'order_step',
    text: `insert into order_step (order_id, kind, by_member_id, at, tx_id, tx_key)
      select id, 'payment_reported', member_id, created_at + interval '1 hour', tx_id, tx_key from token_order where tx_id <> ''
      union all
      select id, case when status = 'completed' then 'completed' else 'cancelled' end::order_step_kind, 'member-2',
        created_at + interval '5 hours', '', '' from token_order where status <> 'pending'`,
  },
  {
    // Most deliveries were paid, by runs of up to 100. The newest are due, on hold, or not due yet.
    table: 'delivery',
    text: `insert into delivery (id, order_id, reference, tranche, amount, due_at, held_at, hold_reason, is_in_run, cancelled_at,
        cancel_cause, created_at, updated_at)
      select 'delivery-' || n, o.id, upper(lpad(to_hex((n::bigint * 829373737) % 1099511627776), 10, '0')), 1, o.fab_qty,
        case when n > ${orders - Math.ceil(orders / 50)} then now() + n * interval '1 minute' else o.created_at end,
        case when n % 500 = 3 then o.created_at end, case when n % 500 = 3 then 'The member asks us to wait.' else '' end,
        n <= ${deliveredOf(orders)} and n % 500 <> 3 and n % 700 <> 4,
        case when n % 700 = 4 then o.created_at end, case when n % 700 = 4 then 'refunded' end, o.created_at, o.created_at
      from token_order o cross join lateral (select split_part(o.id, '-', 2)::int as n) numbered
      where o.status = 'completed'`,
  },
  {
    table: 'payout_run',
    text: `insert into payout_run (id, network, decimals, items, total, hash, frozen_by, frozen_at, needs_two, approved_by, approved_at,
        first_exported_at, updated_at)
      select 'run-' || run, 'own', 8, count(*), sum(amount), encode(sha256(('run' || run)::bytea), 'hex'), 'member-2', max(due_at),
        run % 2 = 0, case when run % 2 = 0 and run < ${lastRunOf(orders)} then 'member-3' end,
        case when run % 2 = 0 and run < ${lastRunOf(orders)} then max(due_at) end,
        case when run < ${lastRunOf(orders) - 1} then max(due_at) end, max(due_at)
      from delivery cross join lateral (select split_part(id, '-', 2)::int / 100 as run) grouped
      where is_in_run group by run`,
  },
  {
    table: 'payout_item',
    text: `insert into payout_item (id, run_id, delivery_id, position, address, amount, tx_id, sent_at, sent_by, confirmed_at, confirmed_by)
      select 'item-' || n, 'run-' || n / 100, 'delivery-' || n, 1 + n % 100, 'F' || md5('tokens' || n), amount,
        case when n / 100 < ${lastRunOf(orders) - 2} then md5('paid' || n) || md5('run' || n) else '' end,
        case when n / 100 < ${lastRunOf(orders) - 2} then due_at end, case when n / 100 < ${lastRunOf(orders) - 2} then 'member-2' end,
        case when n / 100 < ${lastRunOf(orders) - 3} then due_at end, case when n / 100 < ${lastRunOf(orders) - 3} then 'member-3' end
      from delivery cross join lateral (select split_part(id, '-', 2)::int as n) numbered where is_in_run`,
  },
  {
    // Half of the subscribers have an account, and few of these have changed their address since.
    table: 'subscriber',
    text: `insert into subscriber (id, email, member_id, state, language, categories, rhythm, link_secret, asked_at, consented_at, consent_way, is_moved)
      select 'subscriber-' || n, case when m.id is null or n % 10000 = 7 then 'reader-' || n || '@example.org' else m.email end, m.id, 'active',
        case when n % 4 = 0 then 'cn' else 'en' end::language, array['News'], case when n % 3 = 0 then 'weekly' else 'each' end::news_rhythm,
        md5(n::text), written, written, 'form', n % 10000 = 7
      from ${rowsOf(subscribers)}
      cross join lateral (select now() - (${subscribers} - n) * interval '5 minutes' as written) made
      left join member m on n % 2 = 1 and m.id = 'member-' || n`,
  },
  {
    table: 'mail',
    text: `insert into mail (id, to_address, member_id, kind, state, attempts, created_at, changed_at, sent_at, last_error, next_try_at)
      select 'mail-' || n, m.email, m.id,
        case when n % 5000 = 3 then 'erasure-opened' when n % 10 < 4 then 'new-sign-in' when n % 10 < 6 then 'order-completed'
          when n % 10 < 7 then 'kyc-approved' when n % 10 < 8 then 'activation' else ${oneOf('kind', ['password-reset', 'order-placed', 'kyc-submitted', 'already-member', 'email-changed'])} end,
        state::mail_state, case when state = 'sent' then 1 else 3 end, written, written + interval '2 seconds',
        case when state = 'sent' then written + interval '2 seconds' end,
        case when state = 'failed' or n % 3 = 0 and state <> 'sent' then '550 5.1.1' end, now() + interval '1 day'
      from ${rowsOf(mails)}
      cross join lateral (select
        now() - (${mails} - n) * interval '5 seconds' as written,
        case when n > ${mails} - 300 then 'waiting' when n % 200 = 0 then 'failed' when n % 3000 = 1 then 'stopped'
          else 'sent' end as state) made
      join member m on m.id = ${memberOf('reader', members)}`,
  },
  {
    table: 'audit_entry',
    text: `insert into audit_entry (at, actor_id, action, subject_kind, subject_id, detail, seq, hash)
      select now() - (${entries} - n) * interval '30 seconds',
        case when by_staff then ${officerOf('actor')} when n % 53 = 0 then null else subject end,
        action, kind, case when action ~ '-listed$' then null when kind = 'order' then 'order-' || (1 + ${any('order', orders)})
          when kind = 'kyc' then 'case-' || (1 + ${any('case', cases)}) when kind in ('sale', 'app') then null else subject end,
        '{"count": 25}', n, sha256(n::text::bytea)
      from ${rowsOf(entries)}
      cross join lateral (select case when n % 100 < 60 then ${oneOf('reading', ['member-listed', 'member-listed', 'member-viewed', 'order-listed', 'kyc-viewed', 'mail-listed'])}
        when n % 10000 = 77 then 'sale-updated' when n % 30000 = 78 then 'erasure-opened' when n % 1000 = 79 then 'kyc-expired'
        else ${oneOf('change', ['password-changed', 'second-factor-added', 'consent-given', 'order-completed', 'kyc-updated', 'member-updated'])}
        end as action) did
      cross join lateral (select ${memberOf('subject', members)} as subject, split_part(replace(replace(replace(action, 'password', 'member'),
          'second', 'member'), 'erasure', 'member'), '-', 1) as first_word,
        action ~ '(listed|viewed|updated|completed|opened)$' as by_staff) named
      cross join lateral (select case when first_word = 'consent' then 'member' else first_word end as kind) kinds`,
  },
  {
    table: 'sign_in',
    text: `insert into sign_in (member_id, has_proved_factor, at)
      select 'member-' || (1 + n % 1000), false, now() - n * interval '1 minute' from ${rowsOf(orders)}`,
  },
  {
    table: 'setting_version',
    text: `insert into setting_version (subject, by_member_id, at, before, after, changes)
      select case when n % 9 = 0 then 'app' else 'sale' end::setting_subject, 'member-1', now() - (2000 - n) * interval '5 hours',
        '{}', '{}', '[{"path": "methods.BTC.rate", "from": "1", "to": "2"}]' from ${rowsOf(2000)}`,
  },
  {
    table: 'ambassador_application',
    text: `insert into ambassador_application (email, full_name, city, country, country_key, status, created_at)
      select 'ambassador' || n || '@example.org', 'Sample ' || n % 500, 'Oslo', 'Norway', 'NO',
        case when n % 50 = 0 then 'received' else 'accepted' end::ambassador_state, now() - n * interval '1 hour' from ${rowsOf(5000)}`,
  },
  {
    table: 'member_summary',
    text: `insert into member_summary (id, joined_at, is_active, is_staff, has_factor, kyc_state, last_sign_in_at)
      select m.id, m.created_at, m.active, granted_any_right(m), hashtext(m.id) % 20 = 0, a.status,
        case when hashtext(m.id) % 3 = 0 then to_timestamp(0)
          else m.created_at + (abs(hashtext(m.id)) % 5000) * interval '1 hour' end
      from member m left join kyc_application a on a.member_id = m.id and a.deleted_at is null`,
  },
  {
    table: 'member_words',
    text: `insert into member_words (id, grams)
      select id, member_grams(lower(email || ' ' || display_name || ' ' || first_name || ' ' || last_name)) from member`,
  },
]

/**
 * Fills an empty database. Each table is filled by one statement, before its indexes are created and with triggers
 * disabled; the rows that triggers would write are inserted by statements as well. A database that is in use or has
 * another size is not touched.
 */
export const fill = (pool: Database, sizes: Sizes, log: (line: string) => void = () => {}): Promise<void> =>
  pool.connection().execute(async (db) => {
    const run = (text: string) => sql.raw(text).execute(db)
    const { rows: found } = await sql<{ is_filled: boolean }>`
      select exists (select from member where id = 'member-1') as is_filled from member limit 1`.execute(db)
    if (found[0]?.is_filled) return
    if (found[0])
      throw new Error('The database has members of its own: the benchmark fills an empty one only.')
    const steps = [
      ...rowsAt(sizes).map(({ table, text }) => ({ table, work: () => run(text) })),
      { table: 'announcement', work: () => insertPosts(db, sizes.posts) },
    ]
    const tables = steps.map(({ table }) => table)
    await run(`set statement_timeout = 0`)
    // Outside a transaction the server ignores this, but our database client takes its own time limit from it.
    await run(`set local statement_timeout = 0`)
    await run(`set maintenance_work_mem = '512MB'`)
    await run(`set max_parallel_maintenance_workers = 2`)
    await run('set synchronous_commit = off')
    const indexes = await sql<Index>`
      select indexrelid::regclass::text as name, indrelid::regclass::text as table, pg_get_indexdef(indexrelid) as make
      from pg_index where indrelid::regclass::text = any(${tables})
        and not exists (select from pg_constraint where conindid = indexrelid)`.execute(db)
    const needed = ({ name }: Index) => name === 'kyc_application_by_member'
    const made = indexes.rows.filter((index) => !needed(index))
    for (const { name } of made) await run(`drop index ${name}`)
    for (const { table, work } of steps) {
      const begun = performance.now()
      await run(`alter table ${table} disable trigger user`)
      await work()
      await run(`alter table ${table} enable trigger user`)
      for (const { make } of made.filter((index) => index.table === table)) await run(make)
      await run(`analyze ${table}`)
      log(`${table}: filled in ${((performance.now() - begun) / 1000).toFixed(1)} s`)
    }
    // Runs at the end, when no older transaction is active, because only then index-only scans are possible.
    for (const table of tables) await run(`vacuum ${table}`)
  })
