import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { anApplication, anEmail, anOrder, aPost, aSignedInMember } from '#tests/builders.ts'
import { startApi, type TestApi } from '#tests/setup/start-api.ts'
import { importFiles, type ImportKind } from './import-files.ts'
import { describeOutcome } from './describe-outcome.ts'
import { identityColumns } from './plan-identities.ts'
import { memberColumns } from './plan-members.ts'
import { orderColumns } from './plan-orders.ts'
import { postColumns } from './plan-posts.ts'

async function run({ services }: TestApi, files: Partial<Record<ImportKind, unknown>>, isDry = false) {
  const given = Object.fromEntries(
    Object.entries(files).map(([kind, value]) => [
      kind,
      Buffer.from(typeof value === 'string' ? value : JSON.stringify(value, null, 1)),
    ]),
  )
  const outcome = await importFiles(services, { files: given, isDry, withRights: false, skipped: [] })
  return describeOutcome(outcome, isDry)
}

test('the guide names every column, so that a new field of the profile is described as well', () => {
  const guide = readFileSync(new URL('../../../docs/how-to/move-in.md', import.meta.url), 'utf8')
  const columns = { ...memberColumns, ...orderColumns, ...postColumns, ...identityColumns }
  const named = new Set([...guide.matchAll(/`(\w+)`/g)].map((match) => match[1]))
  expect(Object.keys(columns).filter((name) => !named.has(name))).toEqual([])
})

test('imports what another installation exported, unchanged', async () => {
  const [from, to] = [await startApi(), await startApi()]
  const everywhere = { manage_news: 2, manage_employee: 2, manage_finance: 2 }
  const as = { token: (await aSignedInMember(from, everywhere)).token }
  const member = await aSignedInMember(from)
  const { id: orderId } = await anOrder(from, member.id, { payMethod: 'BTC', amount: '0.5', fabQty: '60000' })
  await anApplication(from, member, 'approved')
  await from.call(api.createAnnouncement, { body: aPost() }, as)
  const answers = {
    members: (await from.call(api.findMembers, { body: {}, query: {} }, as)).body,
    orders: (await from.call(api.findOrders, { body: {}, query: {} }, as)).body,
    posts: (await from.call(api.listAnnouncements, { params: { lang: 'en' }, query: {} })).body,
    identities: (await from.call(api.findKyc, { body: {}, query: {} }, as)).body,
  }
  for (const list of Object.values(answers)) expect(list.length).toBeGreaterThan(0)
  const said = await run(to, answers)
  expect(said).toContain('All records were imported.')
  expect(await run(to, answers)).toMatch(
    /members: 0 added, \d already exist.*\norders: 0 added, \d already exist.*\nposts: 0 added, \d already exist.*\nidentities: 0 added, 1 already exists/,
  )
  const reader = { token: (await aSignedInMember(to, everywhere)).token }
  const taken = await to.call(api.getOrder, { params: { id: orderId } }, reader)
  expect(taken.body).toEqual(answers.orders[0])
  const posts = (await to.call(api.listAnnouncements, { params: { lang: 'en' }, query: {} })).body
  expect(posts).toEqual(answers.posts)
  const summary = await to.services.db
    .selectFrom('member_summary')
    .select('kyc_state')
    .where('id', '=', member.id)
    .executeTakeFirst()
  expect(summary).toEqual({ kyc_state: 'approved' })
  const versions = await to.services.db
    .selectFrom('announcement_version')
    .select(['signature', 'published_at'])
    .execute()
  expect(versions.every(({ signature }) => signature !== null)).toBe(true)
})

test('imports orders in the specified format from a spreadsheet, for members of the same import', async () => {
  const started = await startApi()
  const members = 'id,email\nm1,' + anEmail()
  const orders = [
    '_id,memberId,payMethod,amount,fabQty,status',
    'o1,m1,BTC,0.1,1200.5,Completed',
    'o2,m1,ETH,2,,pending',
  ].join('\n')
  expect(await run(started, { members, orders })).toContain('orders: 2 added')
  const rows = await started.services.db.selectFrom('token_order').selectAll().orderBy('id').execute()
  expect(rows).toMatchObject([
    { id: 'o1', member_id: 'm1', status: 'completed', fab_qty: '1200.500000000000000000' },
    { id: 'o2', member_id: 'm1', status: 'pending', fab_qty: null },
  ])
  expect(await run(started, { members, orders })).toContain('orders: 0 added, 2 already exist')
})

test('names problems of orders, posts, and identities, and imports nothing', async () => {
  const started = await startApi()
  const { id } = await aSignedInMember(started)
  const txId = 'ab'.repeat(32)
  const said = await run(started, {
    members: [{ _id: 'm1', email: anEmail() }],
    orders: [
      { _id: 'o1', memberId: 'nobody', status: 'pending' },
      { _id: 'o2', memberId: id, status: 'lost', amount: -1 },
      { _id: 'o3', memberId: id, status: 'completed', txId },
      { _id: 'o4', memberId: 'm1', status: 'completed', txId: `0x${txId}` },
      { _id: 'o5', memberId: id, status: 'completed', txId: 'cd'.repeat(32) },
      { _id: 'o6', memberId: id, status: 'completed', txId: 'cd'.repeat(32), sharesTransaction: true },
    ],
    posts: [
      { _id: 'p1', ...aPost(), category: 'Gossip' },
      { _id: 'p2', ...aPost(), content: '<script>1</script>' },
    ],
    identities: [
      { _id: 'k1', memberId: id, firstName: 'Sample', status: 'in_review', decidedAt: '2024-01-01' },
      {
        _id: 'k2',
        memberId: id,
        firstName: 'Sample',
        status: 'approved',
        isFinal: true,
        decidedAt: '2024-01-01',
      },
    ],
  })
  for (const each of [
    'line 2, column memberId: no member with this ID',
    'column status: not one of the allowed values',
    'column amount: must be a number',
    'column txId: another order has the same transaction',
    'column category: not one of the allowed values',
    'column content: the text has no content',
    'column status: only decided applications can be imported',
    'column isFinal: only a rejected application can be final',
    'Nothing was imported',
  ])
    expect(said).toContain(each)
  expect(said.match(/another order has the same transaction/g)).toHaveLength(2)
  const found = await started.services.db.selectFrom('member').select('id').where('id', '=', 'm1').execute()
  expect(found).toEqual([])
})

test('sanitizes texts of posts, keeps dates and addresses, and drops unknown authors', async () => {
  const started = await startApi()
  const post = {
    _id: 'p1',
    ...aPost({ content: '<p onclick="x()">Kept<script>gone</script></p>' }),
    createdBy: { _id: 'somebody', displayName: 'Sample' },
    postedDate: { $date: '2019-03-04T05:06:07.000Z' },
  }
  expect(await run(started, { posts: [post] })).toContain('1 have an unknown author')
  const [stored] = (await started.call(api.listAnnouncements, { params: { lang: 'en' }, query: {} })).body
  expect(stored).toMatchObject({
    _id: 'p1',
    content: '<p>Kept</p>',
    postedDate: '2019-03-04T05:06:07.000Z',
    slug: 'a-new-release',
    lastEdited: null,
  })
})

test.each([
  ['a list that is cut off', '[\n{"_id": "a"},\n{"_id"', 'line 3'],
  [
    'a line that is none',
    '{"_id": "a", "email": "a@example.org"}\nanna@example.org',
    'line 2: not a valid JSON',
  ],
  ['a file without a heading', 'anna@example.org,Anna\nbo@example.org,Bo', 'line 1: no known column names'],
  [
    'a record within a list',
    '[\n {"_id": "a", "email": "a@example.org"},\n\n {"_id": "b",\n "email": 7}]',
    'line 4, column email',
  ],
])('%s is named by its line', async (_, members, expected) => {
  const started = await startApi()
  const said = await run(started, { members })
  expect(said).toContain(expected)
  expect(said).not.toMatch(/anna|@/i)
})

const others = [
  { _id: 'm1', email: anEmail() },
  { _id: 'm2', email: anEmail() },
]

test('names the item of a problem in a list on one line', async () => {
  const started = await startApi()
  const said = await run(started, {
    members: JSON.stringify([...others, { _id: 'm3', email: 'none' }, { _id: 'm1', email: anEmail() }]),
  })
  expect(said).toContain('line 1, item 3, column email: not a valid email address')
  expect(said).toContain('line 1, item 4, column _id: an earlier line has the same ID')
})

test('names a problem’s column as the file does', async () => {
  const started = await startApi()
  const members = 'id,email\nm1,' + anEmail()
  const said = await run(started, {
    members,
    orders: '_id,memberId,tokenAddress,quantity,status\no1,m1,,many,completed\n,m1,,1,completed',
  })
  expect(said).toContain('line 2, column quantity: ')
  expect(said).toContain('line 3, column _id: this is missing')
  expect(said).not.toContain('fabQty')
})

test('names a missing column once for all its records', async () => {
  const started = await startApi()
  const said = await run(started, { members: others, orders: 'id,memberId\no1,m1\no2,m1\no3,m2' })
  expect(said.match(/status/g)).toHaveLength(1)
  expect(said).toContain('column status: this required column is missing from the file')
})

test('counts records with a problematic member there, and not as separate problems', async () => {
  const started = await startApi()
  const order = { memberId: 'm3', status: 'completed' }
  const said = await run(started, {
    members: [...others, { _id: 'm3', email: 'none' }],
    orders: [
      { _id: 'o1', ...order },
      { _id: 'o2', ...order },
      { _id: 'o3', ...order, memberId: 'nobody' },
    ],
    identities: [
      { _id: 'k1', memberId: 'm3', firstName: 'Sample', status: 'approved', decidedAt: '2024-01-01' },
    ],
  })
  expect(said).toMatch(
    /column email: not a valid email address \(records that depend on this member: orders: 2, identities: 1\)/,
  )
  expect(said.match(/no member with this ID/g)).toHaveLength(1)
  expect(said).toContain('Nothing was imported')
})
