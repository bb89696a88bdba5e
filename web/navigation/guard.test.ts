import { expect, test } from 'vitest'
import { diversion } from './guard.ts'

test.each(['unknown', 'signedOut', 'signedIn'] as const)('anyone may read a public page: %s', (state) => {
  expect(diversion('anyone', state)).toBeNull()
})

test('a member page asks strangers to sign in and remembers where they were going', () => {
  const expected = { to: 'login.signin', log: 'You are not signed in!', isInterruption: true }
  expect(diversion('member', 'signedOut')).toMatchObject(expected)
  expect(diversion('member', 'unknown')).toMatchObject(expected)
  expect(diversion('member', 'signedIn')).toBeNull()
})

test('a login page sends members home and forgets where they were going', () => {
  expect(diversion('stranger', 'signedIn')).toMatchObject({
    to: 'home',
    log: 'You are already signed in!',
    isInterruption: false,
  })
  expect(diversion('stranger', 'signedOut')).toBeNull()
})
