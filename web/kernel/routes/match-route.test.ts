import { expect, test } from 'vitest'
import { matchRoute } from './match-route.ts'
import { pathTo, redirects, routes } from './routes.ts'

const nameAt = (path: string) => matchRoute(path)?.route.name ?? null

test('every page is found at its own address', () => {
  const params = {
    id: '1',
    code: 'a',
    slug: 'b',
    token: 'c',
    kind: 'd',
    name: 'e',
    step: 'f',
    of: 'category',
  }
  for (const route of routes) expect(nameAt(pathTo(route.name, params))).toBe(route.name)
})

test.each([
  ['/login', 'login.signin'],
  ['/account', 'account.userInfo'],
  ['/news/', 'news'],
  ['/cn', 'home'],
  ['/cn/', 'home'],
  ['/cn/news', 'news'],
  ['/cn/login/signin', null],
  ['/cn/account/user-info', null],
  ['/News', null],
  ['/login/nothing', null],
  ['/login/change-password/1', null],
  ['/login/change-password//code', null],
  ['/%E0%A4%A', null],
])('%s leads to %s', (path, name) => {
  expect(nameAt(path)).toBe(name)
})

test('parameters survive building and parsing an address', () => {
  const params = { id: 'a/b', code: '1 ?#%' }
  expect(matchRoute(pathTo('login.changePassword', params))?.params).toEqual(params)
})

test('redirects lead to pages, and no address is listed twice', () => {
  const paths = [...routes, ...redirects].map(({ path }) => path)
  expect(new Set(paths).size).toBe(paths.length)
  for (const { redirect } of redirects) expect(pathTo(redirect)).toBeTruthy()
})
