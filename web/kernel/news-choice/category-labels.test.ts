import { expect, test } from 'vitest'
import { categories } from '#contract/publishing/announcements.ts'
import { categoryColor, categoryLabel } from './category-labels.ts'

test('every category of the contract has a label and a color', () => {
  for (const { name, colour } of categories) {
    expect(categoryLabel(name)).toMatch(/^news\.category\./)
    expect(categoryColor(name)).toBe(colour)
  }
})

test('an unknown category is red and keeps its name', () => {
  expect(categoryColor('Gossip')).toBe('red')
  expect(categoryLabel('Gossip')).toBeNull()
  expect(categoryLabel('toString')).toBeNull()
})
