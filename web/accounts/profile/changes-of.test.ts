import { expect, test } from 'vitest'
import { changesOf } from './changes-of.ts'

test('only what differs is a change', () => {
  const saved = { firstName: 'Ada', lastName: '', personalMember: true, active: true }
  expect(changesOf(saved, { firstName: 'Ada', lastName: 'Sample', personalMember: false })).toEqual({
    lastName: 'Sample',
    personalMember: false,
  })
})

test('nothing changed is no change', () => {
  const saved = { mobile: '+1 555 0100', email: 'a@b.example' }
  expect(changesOf(saved, { mobile: '+1 555 0100' })).toEqual({})
})

test('an emptied field is a change', () => {
  expect(changesOf({ mobile: '+1 555 0100' }, { mobile: '' })).toEqual({ mobile: '' })
})
