import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { viewCountMax, viewsMax } from '#contract/console/console-views.ts'
import { anApplication, anOrder, aPost, aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call } = started

const anOperator = () => aSignedInMember(started, { manage_finance: 1 })
const by = ({ token }: TestMember) => ({ token })
const save = (
  operator: TestMember,
  name: string,
  query = 'status=pending',
  list = 'orders',
  isShared = false,
) => call(api.saveConsoleView, { body: { list, name, query, isShared } }, by(operator))
const share = (operator: TestMember, name: string, query?: string, list?: string) =>
  save(operator, name, query, list, true)
const listed = async (operator: TestMember, list = 'orders') =>
  (await call(api.listConsoleViews, { query: { list } }, by(operator))).body

test('saves a view for its owner and list, in order; the same name replaces it', async () => {
  const operator = await anOperator()
  expect((await save(operator, '  Late ones ')).status).toBe(201)
  await save(operator, 'Large', 'min=5000&sort=-amount')
  await save(operator, 'Large', 'min=9000')
  await save(operator, 'Late ones', 'q=a', 'members')
  expect(await listed(operator)).toMatchObject([
    { name: 'Late ones', query: 'status=pending' },
    { name: 'Large', query: 'min=9000' },
  ])
  expect(await listed(operator, 'members')).toHaveLength(1)
  expect(await listed(await anOperator())).toEqual([])
})

test('renames a view unless the name exists, and deletes it', async () => {
  const operator = await anOperator()
  const { body: view } = await save(operator, 'One')
  await save(operator, 'Two')
  await save(operator, 'Three', '', 'members')
  const rename = (name: string) =>
    call(api.renameConsoleView, { params: { id: view.id }, body: { name } }, by(operator))
  expect((await rename('Two')).problem.code).toBe('conflict')
  expect((await rename('Three')).body).toEqual({ ...view, name: 'Three' })
  expect((await rename('Three')).status).toBe(200)
  const drop = () => call(api.deleteConsoleView, { params: { id: view.id } }, by(operator))
  expect((await drop()).body).toEqual({ dropped: true })
  expect((await drop()).problem.code).toBe('not_found')
  expect((await listed(operator)).map(({ name }) => name)).toEqual(['Two'])
})

test('a colleague’s view is not found, at any level', async () => {
  const { body: view } = await save(await anOperator(), 'Mine')
  const other = by(await aSignedInMember(started, { is_write_access_admin: true, manage_finance: 2 }))
  const params = { id: view.id }
  const renamed = await call(api.renameConsoleView, { params, body: { name: 'Yours' } }, other)
  expect(renamed.problem.code).toBe('not_found')
  expect((await call(api.deleteConsoleView, { params }, other)).problem.code).toBe('not_found')
})

test('a list has at most thirty views, even concurrently; replacing one still works', async () => {
  const operator = await anOperator()
  const answers = await Promise.all(
    Array.from({ length: viewsMax + 3 }, (_, index) => save(operator, `View ${index}`)),
  )
  const refused = answers.filter(({ status }) => status === 400)
  expect(refused).toHaveLength(3)
  expect(refused[0]!.problem.errors).toMatchObject([{ path: 'name', code: 'too_many' }])
  const [first] = await listed(operator)
  expect((await save(operator, first!.name, 'q=else')).status).toBe(201)
  expect((await save(operator, 'Elsewhere', '', 'members')).status).toBe(201)
  expect(await listed(operator)).toHaveLength(viewsMax)
})

test('a shared view is seen by those who can read the list, and changed by its author and administrators', async () => {
  const [author, colleague] = [await anOperator(), await anOperator()]
  const administrator = await aSignedInMember(started, { is_write_access_admin: true, manage_finance: 1 })
  const editor = await aSignedInMember(started, { manage_news: 2 })
  const { body: view } = await share(author, 'Late ones')
  expect(view).toMatchObject({ isShared: true, isOwn: true, isEditable: true })
  const seenBy = async (reader: TestMember) => (await listed(reader)).filter(({ id }) => id === view.id)
  expect(await seenBy(colleague)).toMatchObject([{ name: 'Late ones', isOwn: false, isEditable: false }])
  expect(await seenBy(administrator)).toMatchObject([{ isOwn: false, isEditable: true }])
  expect(await seenBy(editor)).toEqual([])

  const params = { id: view.id }
  const rename = (reader: TestMember, body: { name: string; isShared?: boolean }) =>
    call(api.renameConsoleView, { params, body }, by(reader))
  expect((await rename(colleague, { name: 'Mine' })).problem.code).toBe('not_found')
  expect((await rename(editor, { name: 'Mine' })).problem.code).toBe('not_found')
  expect((await call(api.deleteConsoleView, { params }, by(colleague))).problem.code).toBe('not_found')
  expect((await rename(administrator, { name: 'Overdue' })).body).toMatchObject({ isShared: true })
  expect(await seenBy(author)).toMatchObject([{ name: 'Overdue', isOwn: true }])
  await rename(author, { name: 'Overdue', isShared: false })
  expect(await seenBy(colleague)).toEqual([])
  expect((await rename(administrator, { name: 'Again' })).problem.code).toBe('not_found')
  await rename(author, { name: 'Overdue', isShared: true })
  expect((await call(api.deleteConsoleView, { params }, by(administrator))).body).toEqual({ dropped: true })
  expect(await seenBy(author)).toEqual([])
})

test('only lists that the author can read are shared, and at most thirty views of each, even concurrently', async () => {
  const author = await anOperator()
  expect((await share(author, 'Staff', '', 'members')).problem.code).toBe('forbidden')
  expect((await share(author, 'Nothing', '', 'nothing')).problem.code).toBe('forbidden')
  const { body: own } = await save(author, 'Own', '', 'members')
  const params = { id: own.id }
  const body = { name: 'Own', isShared: true }
  expect((await call(api.renameConsoleView, { params, body }, by(author))).problem.code).toBe('forbidden')

  const authors = await Promise.all(Array.from({ length: viewsMax + 2 }, () => anOperator()))
  const answers = await Promise.all(authors.map((one) => share(one, 'Each', '', 'withdrawals')))
  const refused = answers.filter(({ status }) => status === 400)
  expect(refused).toHaveLength(2)
  expect(refused[0]!.problem.errors).toMatchObject([{ path: 'isShared', code: 'too_many' }])
  const first = authors[answers.findIndex(({ status }) => status === 201)]!
  expect((await share(first, 'Each', 'status=open', 'withdrawals')).status).toBe(201)
})

test('views are counted as far as the caller can read the list, without search words', async () => {
  const operator = await anOperator()
  const editor = await aSignedInMember(started, { manage_news: 2 })
  const buyer = await aSignedInMember(started)
  const coin = 'COUNTED'
  for (let at = 0; at < 3; at += 1) await anOrder(started, buyer.id, { payMethod: coin })
  await save(operator, 'Three', `coin=${coin}&sort=amount&columns=reference`)
  await save(operator, 'None', `coin=${coin}&status=completed`)
  await save(operator, 'Old', `coin=${coin}&gone=1`)
  await save(operator, 'Typed', 'status=impossible')
  await save(operator, 'Words', `q=${buyer.email}`)
  await save(editor, 'Unreadable')
  const countsOf = async (reader: TestMember) => {
    const { body } = await call(api.countConsoleViews, { query: { list: 'orders' } }, by(reader))
    const names = new Map((await listed(reader)).map(({ id, name }) => [id, name]))
    return body.map(({ id, count }) => [names.get(id), count])
  }
  expect(await countsOf(operator)).toEqual([
    ['Three', 3],
    ['None', 0],
  ])
  expect(await countsOf(editor)).toEqual([])
  for (let at = 0; at < viewCountMax; at += 1) await anOrder(started, buyer.id, { payMethod: coin })
  expect(await countsOf(operator)).toContainEqual(['Three', viewCountMax + 1])
})

test('the language of posts is counted by its parameter in the address', async () => {
  const editor = await aSignedInMember(started, { manage_news: 2 })
  for (const language of ['en', 'cn', 'cn'] as const)
    await call(api.createAnnouncement, { body: aPost({ language }) }, by(editor))
  await save(editor, 'Chinese', 'in=cn', 'newsroom')
  const { body } = await call(api.countConsoleViews, { query: { list: 'newsroom' } }, by(editor))
  expect(body).toMatchObject([{ count: 2 }])
})

test('a view of the identity queue counts the waiting cases, unless it removes that filter', async () => {
  const reviewer = await aSignedInMember(started, { manage_finance: 2 })
  for (const status of ['submitted', 'submitted', 'approved'] as const) {
    const { _id } = await anApplication(started, await aSignedInMember(started))
    await started.services.db.updateTable('kyc_application').set({ status }).where('id', '=', _id).execute()
  }
  await save(reviewer, 'Any', 'status=&assignee=nobody', 'identity')
  await save(reviewer, 'Waiting', 'assignee=nobody', 'identity')
  const { body } = await call(api.countConsoleViews, { query: { list: 'identity' } }, by(reviewer))
  expect(body.map(({ count }) => count)).toEqual([3, 2])
})

test.each([
  [{ list: 'Orders!' }, 'list'],
  [{ name: '  ' }, 'name'],
  [{ name: 'x'.repeat(61) }, 'name'],
  [{ name: 'a\nb' }, 'name'],
  [{ query: 'x'.repeat(2001) }, 'query'],
])('a view is refused by its field: %j', async (fields, path) => {
  const body = { list: 'orders', name: 'A view', query: '', ...fields }
  const answer = await call(api.saveConsoleView, { body }, by(await anOperator()))
  expect(answer.problem.errors).toMatchObject([{ path }])
})

test('views are in their owner’s export, and deleted with the account', async () => {
  const operator = await anOperator()
  await save(operator, 'Late ones')
  const { body: exported } = await call(api.exportMember, {}, by(operator))
  expect(exported['savedViews']).toMatchObject([
    { list: 'orders', name: 'Late ones', query: 'status=pending' },
  ])
  await call(api.eraseMember, { body: { current: operator.password } }, by(operator))
  const rows = await started.services.db
    .selectFrom('console_view')
    .select('id')
    .where('member_id', '=', operator.id)
    .execute()
  expect(rows).toEqual([])
})
