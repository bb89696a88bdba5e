import { expect, test } from 'vitest'
import { changesOf } from './profile-editor.tsx'

test('reports only differing fields', () => {
  const saved = { firstName: 'Ada', lastName: '', personalMember: true, active: true }
  expect(changesOf(saved, { firstName: 'Ada', lastName: 'Sample', personalMember: false })).toEqual({
    lastName: 'Sample',
    personalMember: false,
  })
})

test('no edits are no changes', () => {
  const saved = { mobile: '+1 555 0100', email: 'a@b.example' }
  expect(changesOf(saved, { mobile: '+1 555 0100' })).toEqual({})
})

test('an emptied field is a change', () => {
  expect(changesOf({ mobile: '+1 555 0100' }, { mobile: '' })).toEqual({ mobile: '' })
})
