import { afterAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { viewsMax } from '#contract/console/console-views.ts'
import { aSignedInMember, type TestMember } from '#tests/builders.ts'
import { startApi } from '#tests/setup/start-api.ts'

const started = await startApi({}, afterAll)
const { call } = started

const anOperator = () => aSignedInMember(started, { manage_finance: 1 })
const by = ({ token }: TestMember) => ({ token })
const save = (operator: TestMember, name: string, query = 'status=pending', list = 'orders') =>
  call(api.saveConsoleView, { body: { list, name, query } }, by(operator))
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
