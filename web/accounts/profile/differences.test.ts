import { expect, test } from 'vitest'
import { chosenFields, differencesOf } from './profile-editor.tsx'
import { profileNames, type ProfileFields } from './profile-fields.ts'

const empty = Object.fromEntries(profileNames.map((name) => [name, '']))
const base = { ...empty, displayName: 'Ada', email: 'ada@example.org', personalMember: true } as ProfileFields
const mine = { ...base, displayName: 'Ada here', mobile: '+47 1', lastName: 'Same' }
const theirs = { ...base, displayName: 'Ada there', firstName: 'Adelheid', lastName: 'Same' }

test('preselects what was typed here, and saved values for fields changed elsewhere only; equal fields are left out', () => {
  expect(differencesOf(base, mine, theirs)).toEqual([
    { name: 'displayName', suggested: 'mine' },
    { name: 'firstName', suggested: 'theirs' },
    { name: 'mobile', suggested: 'mine' },
  ])
})

test('the same change made twice is not a difference', () => {
  expect(differencesOf(base, theirs, theirs)).toEqual([])
})

test('an emptied field and an unchecked box are typed values too', () => {
  const emptied = { ...base, displayName: '', personalMember: false }
  expect(differencesOf(base, emptied, theirs)).toContainEqual({ name: 'displayName', suggested: 'mine' })
  expect(chosenFields(emptied, theirs, { displayName: 'mine', personalMember: 'mine' })).toEqual({
    ...theirs,
    displayName: '',
    personalMember: false,
  })
})

test('without a choice the saved value stays', () => {
  expect(chosenFields(mine, theirs, { mobile: 'mine', displayName: 'theirs' })).toEqual({
    ...theirs,
    mobile: '+47 1',
  })
})
