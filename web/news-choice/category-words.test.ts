import { expect, test } from 'vitest'
import { categories } from '#contract/announcements.ts'
import { categoryColour, categoryWords } from './category-words.ts'

test('every category of the contract has a label and a color', () => {
  for (const { name, colour } of categories) {
    expect(categoryWords(name)).toMatch(/^news\.category\./)
    expect(categoryColour(name)).toBe(colour)
  }
})

test('an unknown category is red and keeps its name', () => {
  expect(categoryColour('Gossip')).toBe('red')
  expect(categoryWords('Gossip')).toBeNull()
  expect(categoryWords('toString')).toBeNull()
})
