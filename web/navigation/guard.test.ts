import { expect, test } from 'vitest'
import { diversion } from './guard.ts'

test.each(['unknown', 'signedOut', 'signedIn'] as const)('anyone can read a public page: %s', (state) => {
  expect(diversion('anyone', state)).toBeNull()
})

test('a member page asks visitors to sign in and remembers the destination', () => {
  const expected = { to: 'login.signin', log: 'You are not signed in!', isInterruption: true }
  expect(diversion('member', 'signedOut')).toMatchObject(expected)
  expect(diversion('member', 'unknown')).toMatchObject(expected)
  expect(diversion('member', 'signedIn')).toBeNull()
})

test('a login page redirects members home and forgets the destination', () => {
  expect(diversion('stranger', 'signedIn')).toMatchObject({
    to: 'home',
    log: 'You are already signed in!',
    isInterruption: false,
  })
  expect(diversion('stranger', 'signedOut')).toBeNull()
})
