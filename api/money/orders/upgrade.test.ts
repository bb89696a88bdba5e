import { expect, onTestFinished, test } from 'vitest'
import { databaseBefore } from '#tests/setup/backups.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { listOrdersRefundedBy } from './order-transaction.queries.ts'
import { renewTransactionKeys } from './renew-transaction-keys.ts'

test('the upgrade cancels no older orders, and keeps the transactions they share', async () => {
  const { client, upgrade } = await databaseBefore('0017-order-deadlines')
  await client.query(`
    insert into member (id, email) values ('m', 'm@example.org');
    insert into token_order (id, member_id, status, tx_id, created_at) values
      ('unpaid', 'm', 'pending', '', '2025-01-01Z'),
      ('first', 'm', 'completed', 'ABC', '2025-01-02Z'),
      ('second', 'm', 'pending', '0xabc', '2025-01-03Z'),
      ('third', 'm', 'pending', 'a b c', '2025-01-04Z'),
      ('alone', 'm', 'pending', 'd', '2025-01-05Z')`)
  await upgrade()
  const { rows } = await client.query(
    `select id, tx_id as "txId", tx_key as key, is_tx_shared as "isShared", pay_before as "payBefore", is_reported_late as "isLate"
     from token_order order by created_at`,
  )
  const row = (id: string, txId: string, key: string, isShared: boolean) => ({
    id,
    txId,
    key,
    isShared,
    // The next start assigns deadlines from the settings.
    payBefore: null,
    isLate: false,
  })
  expect(rows).toEqual([
    row('unpaid', '', '', false),
    row('first', 'ABC', 'abc', false),
    row('second', '0xabc', 'abc', true),
    row('third', 'a b c', 'abc', true),
    row('alone', 'd', 'd', false),
  ])
})

test('renews keys of older rules once; pending orders with the same payment wait for finance', async () => {
  const { client, url, upgrade } = await databaseBefore('0023-disputed-payments')
  const hash = 'ab12'.repeat(16)
  const named = (id: string, status: string, txId: string, key: string, day: number) =>
    client.query(
      `insert into token_order (id, member_id, status, tx_id, tx_key, created_at) values ($1, 'm', $2, $3, $4, $5)`,
      [id, status, txId, key, `2026-01-0${day}Z`],
    )
  await client.query(`insert into member (id, email) values ('m', 'm@example.org')`)
  await named('plain', 'completed', hash, hash, 1)
  await named('zero-width', 'pending', `\u200B${hash}`, `\u200B${hash}`, 2)
  await named('full-width', 'pending', hash.replaceAll('a', 'ａ'), hash.replaceAll('a', 'ａ'), 3)
  await named('text', 'pending', 'Transfer no. 7', 'transferno.7', 4)
  await client.query(`insert into order_step (order_id, kind) values ('text', 'payment_reported')`)
  await client.query(
    `insert into token_order (id, member_id, created_at) values ('none', 'm', '2026-01-05Z')`,
  )
  await upgrade()
  const db = openDatabase(url, () => {})
  onTestFinished(() => db.destroy())
  await renewTransactionKeys(db)
  const read = async () =>
    (
      await client.query(
        `select id, tx_key as key, is_tx_shared as "isShared", is_disputed as "isDisputed" from token_order order by created_at`,
      )
    ).rows
  const rows = await read()
  const row = (id: string, key: string, isShared: boolean, isDisputed: boolean) => ({
    id,
    key,
    isShared,
    isDisputed,
  })
  expect(rows).toEqual([
    row('plain', hash, false, false),
    row('zero-width', hash, true, true),
    row('full-width', hash, true, true),
    row('text', 'transferno7', false, false),
    row('none', '', false, false),
  ])
  // What was reported before is in the history with its transaction.
  const steps = await client.query(
    `select order_id as "of", kind, tx_id as "txId", tx_key as key from order_step order by id`,
  )
  expect(steps.rows).toEqual([
    { of: 'text', kind: 'payment_reported', txId: 'Transfer no. 7', key: 'transferno7' },
    expect.objectContaining({ of: 'zero-width', kind: 'disputed', key: hash }),
    expect.objectContaining({ of: 'full-width', kind: 'disputed', key: hash }),
  ])
  await renewTransactionKeys(db)
  expect(await read()).toEqual(rows)
})

test('statement lines from before the upgrade get the keys of their transactions', async () => {
  const { client, url, upgrade } = await databaseBefore('0210-returned-before-recorded')
  await client.query(`
    insert into member (id, email) values ('m', 'm@example.org');
    insert into statement_line (id, fingerprint, state, line, reference, tx_id, amount, currency, sender, address, imported_by)
      values ('named', 'a', 'open', 1, '', 'Transfer no. 7', '1', 'EUR', '', '', 'm'),
        ('none', 'b', 'open', 2, 'Gift', '', '1', 'EUR', '', '', 'm')`)
  await upgrade()
  const db = openDatabase(url, () => {})
  onTestFinished(() => db.destroy())
  await renewTransactionKeys(db)
  const { rows } = await client.query(`select id, tx_key from statement_line order by id`)
  expect(rows).toEqual([
    { id: 'named', tx_key: 'transferno7' },
    { id: 'none', tx_key: '' },
  ])
})

test('transactions of refunds from before the upgrade still pay no order, even replaced ones', async () => {
  const { client, url, upgrade } = await databaseBefore('0212-refund-transactions')
  await client.query(`
    insert into member (id, email) values ('m', 'm@example.org');
    insert into token_order (id, member_id) values ('refunded', 'm'), ('requested', 'm');
    insert into order_withdrawal (order_id, state, until_at, refund_before, refund_tx_id, refund_amount) values
      ('refunded', 'refunded', now(), now(), 'Transfer no. 8', 1), ('requested', 'requested', now(), now(), '', null);
    insert into order_step (order_id, kind, changes)
      values ('refunded', 'refunded', '[{"field": "refundTxId", "before": "Transfer no. 7", "after": "Transfer no. 8"}]')`)
  await upgrade()
  const db = openDatabase(url, () => {})
  onTestFinished(() => db.destroy())
  const read = () => listOrdersRefundedBy(db, ['transferno7', 'transferno8', 'transferno9', ''])
  expect(await read()).toEqual([])
  for (const _ of ['first', 'again']) {
    await renewTransactionKeys(db)
    expect((await read()).toSorted((a, b) => a.key.localeCompare(b.key))).toEqual([
      { id: 'refunded', key: 'transferno7' },
      { id: 'refunded', key: 'transferno8' },
    ])
  }
})

test('price editors from before the upgrade are known after it, and payment methods still count', async () => {
  const { client, upgrade } = await databaseBefore('0023-disputed-payments')
  await client.query(`
    insert into member (id, email) values ('m', 'm@example.org');
    insert into sale (is_open, updated_by) values (true, 'm');
    insert into pay_method (code, position, chain, is_open, rate, decimals, min_amount, max_amount, receiving_address)
      values ('BTC', 0, 'bitcoin', true, 1, 8, 0, 1, 'a')`)
  await upgrade()
  expect((await client.query('select member_id from sale_setter')).rows).toEqual([{ member_id: 'm' }])
  expect((await client.query('select currency from pay_method')).rows).toEqual([{ currency: null }])
})

test('unpayable orders lose their deadline, and earlier reports and entries are kept', async () => {
  const { client, upgrade } = await databaseBefore('0030-transactions-of-entered-orders')
  await client.query(`
    insert into member (id, email) values ('m', 'm@example.org');
    insert into token_order (id, member_id, status, receiving_address, amount, tx_id, tx_key, pay_before, updated_at) values
      ('payable', 'm', 'pending', 'somewhere', 1, '', '', '2026-05-01Z', '2026-01-01Z'),
      ('no address', 'm', 'pending', '', 1, '', '', '2026-05-01Z', '2026-01-01Z'),
      ('no amount', 'm', 'pending', 'somewhere', null, '', '', '2026-05-01Z', '2026-01-01Z'),
      ('reported', 'm', 'pending', '', 1, 'T 1', 't1', '2026-05-01Z', '2026-01-09Z'),
      ('entered', 'm', 'completed', '', 1, 'T 2', 't2', null, '2026-01-07Z');
    insert into order_step (order_id, kind, at, tx_id, tx_key) values
      ('reported', 'payment_reported', '2026-01-02Z', 'T 0', 't0'),
      ('reported', 'payment_reported', '2026-01-03Z', 'T 1', 't1'),
      ('entered', 'completed', '2026-01-07Z', '', '')`)
  await upgrade()
  const { rows } = await client.query(
    `select id, pay_before is null as "noDeadline", to_char(reported_at at time zone 'UTC', 'DD') as since from token_order order by id`,
  )
  expect(rows).toEqual([
    { id: 'entered', noDeadline: true, since: '07' },
    { id: 'no address', noDeadline: true, since: null },
    { id: 'no amount', noDeadline: true, since: null },
    { id: 'payable', noDeadline: false, since: null },
    { id: 'reported', noDeadline: false, since: '02' },
  ])
  const steps = await client.query(
    `select tx_id as "txId", tx_key as key from order_step where order_id = 'entered'`,
  )
  expect(steps.rows).toEqual([{ txId: 'T 2', key: 't2' }])
})

test('remembers transactions that finance removed or replaced before the upgrade', async () => {
  const { client, upgrade } = await databaseBefore('0060-transactions-taken-away')
  await client.query(`
    insert into member (id, email) values ('m', 'm@example.org'), ('o', 'o@example.org');
    insert into token_order (id, member_id, status, tx_id, tx_key) values
      ('taken', 'm', 'pending', '', ''),
      ('no step', 'm', 'pending', '', ''),
      ('then named', 'm', 'pending', 'T 6', 't6'),
      ('replaced', 'm', 'pending', 'T 8', 't8'),
      ('unknown', 'm', 'pending', 'T 10', 't10'),
      ('put back', 'm', 'pending', 'T 11', 't11'),
      ('own', 'm', 'pending', 'T 3', 't3'),
      ('own, entered', 'm', 'pending', 'T 13', 't13'),
      ('own, corrected', 'm', 'pending', 'T 15', 't15'),
      ('refused', 'm', 'pending', 'T 17', 't17'),
      ('closed', 'm', 'cancelled', '', '');
    insert into order_step (order_id, kind, by_member_id, at, tx_id, tx_key) values
      ('taken', 'payment_reported', 'm', '2026-01-02Z', 'T 1', 't1'),
      ('taken', 'corrected', 'o', '2026-01-03Z', '', ''),
      ('no step', 'payment_reported', 'm', '2026-01-02Z', 'T 4', 't4'),
      ('then named', 'payment_reported', 'm', '2026-01-02Z', 'T 5', 't5'),
      ('then named', 'corrected', 'o', '2026-01-03Z', '', ''),
      ('then named', 'payment_reported', 'm', '2026-01-04Z', 'T 6', 't6'),
      ('replaced', 'payment_reported', 'm', '2026-01-02Z', 'T 7', 't7'),
      ('replaced', 'payment_reported', 'o', '2026-01-03Z', 'T 8', 't8'),
      ('replaced', 'corrected', 'o', '2026-01-03Z', '', ''),
      ('unknown', 'payment_reported', 'm', '2026-01-02Z', 'T 9', 't9'),
      ('unknown', 'payment_reported', null, '2026-01-03Z', 'T 10', 't10'),
      ('put back', 'payment_reported', 'm', '2026-01-02Z', 'T 11', 't11'),
      ('put back', 'payment_reported', 'o', '2026-01-03Z', 'T 12', 't12'),
      ('put back', 'corrected', 'o', '2026-01-03Z', '', ''),
      ('put back', 'payment_reported', 'o', '2026-01-04Z', 'T 11', 't11'),
      ('put back', 'corrected', 'o', '2026-01-04Z', '', ''),
      ('own', 'payment_reported', 'm', '2026-01-02Z', 'T 2', 't2'),
      ('own', 'payment_reported', 'm', '2026-01-02Z', 'T 3', 't3'),
      ('own', 'corrected', 'm', '2026-01-03Z', '', ''),
      ('own, entered', 'payment_reported', 'o', '2026-01-02Z', 'T 0', 't0'),
      ('own, entered', 'corrected', 'o', '2026-01-02Z', '', ''),
      ('own, entered', 'payment_reported', 'm', '2026-01-03Z', 'T 13', 't13'),
      ('own, corrected', 'payment_reported', 'm', '2026-01-02Z', 'T 14', 't14'),
      ('own, corrected', 'payment_reported', 'm', '2026-01-03Z', 'T 15', 't15'),
      ('own, corrected', 'corrected', 'o', '2026-01-04Z', '', ''),
      ('refused', 'disputed', 'm', '2026-01-02Z', 'T 16', 't16'),
      ('refused', 'payment_reported', 'm', '2026-01-03Z', 'T 17', 't17'),
      ('refused', 'corrected', 'o', '2026-01-04Z', '', ''),
      ('closed', 'payment_reported', 'm', '2026-01-02Z', 'T 18', 't18'),
      ('closed', 'corrected', 'o', '2026-01-03Z', '', '')`)
  const before = Date.now()
  await upgrade()
  const { rows } = await client.query(
    `select order_id as "of", by_member_id as "by", at, tx_id as "txId", tx_key as key from order_step where kind = 'transaction_taken' order by order_id`,
  )
  const row = (of: string, by: string | null, day: number, number: number) => ({
    of,
    by,
    at: new Date(`2026-01-0${day}Z`),
    txId: `T ${number}`,
    key: `t${number}`,
  })
  expect(rows).toEqual([
    { ...row('no step', null, 1, 4), at: expect.any(Date) },
    // The steps alone don't tell whether the first report came from the member or from finance.
    row('own, corrected', 'o', 4, 14),
    row('put back', 'o', 4, 12),
    row('replaced', 'o', 3, 7),
    row('taken', 'o', 3, 1),
    row('then named', 'o', 3, 5),
    row('unknown', null, 3, 9),
  ])
  expect(rows[0].at.getTime()).toBeGreaterThan(before - 60_000)
})

test('the upgrade frees orders from a placeholder that they shared as a transaction', async () => {
  const { client, url, upgrade } = await databaseBefore('0218-placeholders-name-no-transaction')
  await client.query(`
    insert into member (id, email) values ('m', 'm@example.org');
    insert into token_order (id, member_id, tx_id, tx_key, is_tx_shared) values
      ('first', 'm', 'n/a', 'na', false), ('second', 'm', 'N/A', 'na', true), ('bank', 'm', 'NA-1', 'na1', false);
    insert into order_step (order_id, kind, tx_id, tx_key) values ('bank', 'payment_reported', 'x', 'x')`)
  await upgrade()
  const db = openDatabase(url, () => {})
  onTestFinished(() => db.destroy())
  await renewTransactionKeys(db)
  const orders = await client.query('select id, tx_key from token_order order by id')
  expect(orders.rows).toEqual([
    { id: 'bank', tx_key: 'na1' },
    { id: 'first', tx_key: '' },
    { id: 'second', tx_key: '' },
  ])
  expect((await client.query('select tx_key from order_step')).rows).toEqual([{ tx_key: '' }])
})

test('the history gets the refund addresses that members entered while canceling unpaid orders', async () => {
  const { client, upgrade } = await databaseBefore('0228-refund-addresses-of-unpaid-orders')
  await client.query(`
    insert into member (id, email) values ('m', 'm@example.org'), ('officer', 'officer@example.org');
    insert into token_order (id, member_id, status) select id, 'm', 'cancelled'
      from unnest(array['canceled', 'without address', 'closed']) as id;
    insert into order_step (order_id, kind, by_member_id) select id, 'withdrawn', 'm' from token_order;
    insert into order_withdrawal (order_id, state, until_at, refund_before, refund_address, decided_by, decided_at) values
      ('canceled', 'unpaid', now(), now(), 'A', null, null),
      ('without address', 'unpaid', now(), now(), '', null, null),
      ('closed', 'unpaid', now(), now(), 'A', 'officer', now())`)
  await upgrade()
  expect((await client.query('select order_id, changes from order_step order by id')).rows).toEqual([
    { order_id: 'canceled', changes: [{ field: 'refundAddress', before: null, after: 'A' }] },
    { order_id: 'without address', changes: [] },
    { order_id: 'closed', changes: [] },
  ])
})
