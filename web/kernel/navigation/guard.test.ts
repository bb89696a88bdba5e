import { expect, test } from 'vitest'
import { redirectFor } from './guard.ts'

test.each(['unknown', 'signedOut', 'signedIn'] as const)('anyone can read a public page: %s', (state) => {
  expect(redirectFor('anyone', state)).toBeNull()
})

test('a member page asks visitors to sign in and remembers the destination', () => {
  const expected = { to: 'login.signin', log: 'You are not signed in!', isInterruption: true }
  expect(redirectFor('member', 'signedOut')).toMatchObject(expected)
  expect(redirectFor('member', 'unknown')).toMatchObject(expected)
  expect(redirectFor('member', 'signedIn')).toBeNull()
})

test('a login page redirects members home and forgets the destination', () => {
  expect(redirectFor('stranger', 'signedIn')).toMatchObject({
    to: 'home',
    log: 'You are already signed in!',
    isInterruption: false,
  })
  expect(redirectFor('stranger', 'signedOut')).toBeNull()
})
