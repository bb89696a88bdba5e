import { expect, test } from 'vitest'
import { keyGroups, nameOfKey, reviewKeys, type ReviewKey } from './review-keys.ts'

const names = Object.keys(reviewKeys) as ReviewKey[]

test('every key has one meaning, and is listed once', () => {
  expect(names.map((name) => nameOfKey(reviewKeys[name].key))).toEqual(names)
  expect(keyGroups.flatMap(({ keys }) => keys).toSorted()).toEqual(names.toSorted())
})

test('treats Shift with the equals sign as plus', () => {
  expect([nameOfKey('A'), nameOfKey('='), nameOfKey('q')]).toEqual(['accept', 'larger', undefined])
})
