import { expect, test } from 'vitest'
import { chosenFields, differencesOf } from './differences.ts'
import { profileNames, type ProfileFields } from './profile-fields.ts'

const empty = Object.fromEntries(profileNames.map((name) => [name, '']))
const base = { ...empty, displayName: 'Ada', email: 'ada@example.org', personalMember: true } as ProfileFields
const mine = { ...base, displayName: 'Ada here', mobile: '+47 1', lastName: 'Same' }
const theirs = { ...base, displayName: 'Ada there', firstName: 'Adelheid', lastName: 'Same' }

test('what was typed here is suggested as typed, what changed elsewhere only as saved; equal fields are not asked about', () => {
  expect(differencesOf(base, mine, theirs)).toEqual([
    { name: 'displayName', suggested: 'mine' },
    { name: 'firstName', suggested: 'theirs' },
    { name: 'mobile', suggested: 'mine' },
  ])
})

test('the same change made twice differs in nothing', () => {
  expect(differencesOf(base, theirs, theirs)).toEqual([])
})

test('an emptied field and a taken-away tick are typed values too', () => {
  const emptied = { ...base, displayName: '', personalMember: false }
  expect(differencesOf(base, emptied, theirs)).toContainEqual({ name: 'displayName', suggested: 'mine' })
  expect(chosenFields(emptied, theirs, { displayName: 'mine', personalMember: 'mine' })).toEqual({
    ...theirs,
    displayName: '',
    personalMember: false,
  })
})

test('without a choice the saved value stands', () => {
  expect(chosenFields(mine, theirs, { mobile: 'mine', displayName: 'theirs' })).toEqual({
    ...theirs,
    mobile: '+47 1',
  })
})
