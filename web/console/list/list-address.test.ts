import { expect, test } from 'vitest'
import { auditLog } from '#contract/console/console-audit-log.ts'
import { addressOf, fromStart, isFiltered, stateOf, viewOf, type Addressed } from './list-address.ts'

const list: Addressed = {
  route: 'console.home',
  resource: auditLog,
  columns: [{ name: 'name' }, { name: 'at', sort: 'at' }, { name: 'note', isExtra: true }],
  filters: {
    q: { label: 'console.nav.home', kind: 'search' },
    from: { label: 'console.nav.home', kind: 'day' },
    least: { label: 'console.nav.home', kind: 'number' },
    state: {
      label: 'console.nav.home',
      kind: 'choice',
      options: [{ value: 'open', label: 'console.nav.home' }],
    },
    hidden: null,
  },
}
const read = (query: string) => stateOf(list, new URLSearchParams(query))

test('without a query the list has its default order and columns, and the plain address', () => {
  expect(read('')).toEqual({ filters: {}, sort: '-at', columns: ['name', 'at'], after: '', page: 1 })
  expect(addressOf(list, read(''))).toBe('/console')
})

test('filters, order, columns, and page are restored from the address', () => {
  const state = {
    filters: { q: 'Ada & co', from: '2036-05-01', least: '0.5', state: 'open' },
    sort: 'at',
    columns: ['name', 'note'],
    after: 'a cursor',
    page: 3,
  }
  expect(stateOf(list, new URL(addressOf(list, state), 'https://coin.example').searchParams)).toEqual(state)
  expect(fromStart(state, { sort: '-at' })).toMatchObject({ after: '', page: 1, sort: '-at' })
})

test('invalid parts are ignored', () => {
  expect(
    read('hidden=1&state=shut&from=yesterday&from=2036-13-40&least=-1&sort=name&page=7&columns=what').filters,
  ).toEqual({})
  expect(read('sort=name')).toMatchObject({ sort: '-at' })
  expect(read('page=7')).toMatchObject({ page: 1 })
  expect(read('columns=what').columns).toEqual(['name'])
  expect(read(`q=${'x'.repeat(300)}`).filters['q']).toHaveLength(200)
})

test('a view stores filters and order, not the page', () => {
  expect(viewOf(list, read('q=ada&after=c&page=2&sort=at'))).toBe('q=ada&sort=at')
})

test('a default filter is set until the address removes it', () => {
  const resource = { ...auditLog, declared: { ...auditLog.declared, defaults: { state: 'open' } } }
  const open: Addressed = { ...list, resource }
  const readOpen = (query: string) => stateOf(open, new URLSearchParams(query))
  expect(readOpen('').filters).toEqual({ state: 'open' })
  expect(addressOf(open, readOpen(''))).toBe('/console')
  expect(readOpen('state=').filters).toEqual({})
  expect(addressOf(open, readOpen('state='))).toBe('/console?state=')
  expect([isFiltered(open, readOpen('')), isFiltered(open, readOpen('state='))]).toEqual([false, true])
})

test('a filter by language leaves the parameter for the language of the page alone', () => {
  const filters = {
    language: {
      label: 'console.nav.home',
      kind: 'choice',
      options: [{ value: 'cn', label: 'console.nav.home' }],
    },
  } as const
  const spoken: Addressed = { ...list, filters }
  const state = stateOf(spoken, new URLSearchParams('in=cn'))
  expect(state.filters).toEqual({ language: 'cn' })
  expect(addressOf(spoken, state)).toBe('/console?in=cn')
})
