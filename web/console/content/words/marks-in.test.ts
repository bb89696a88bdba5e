import { expect, test } from 'vitest'
import { compareMarks } from './text-row.tsx'

test('a text keeps its placeholders and known tags', () => {
  const original = 'Read <link>the terms</link> of {date}, {brand}.'
  expect(compareMarks(original, 'On {date}: <link>terms</link>')).toEqual({ lacking: [], extra: [] })
  expect(compareMarks(original, '{ticker}: <b>terms</b> of {day}')).toEqual({
    lacking: ['<link>', '</link>', '{date}'],
    extra: ['<b>', '</b>', '{day}'],
  })
  // Only the API interpolates this placeholder, in its own sentences.
  expect(compareMarks('Write to us.', 'Write to {contact}.').extra).toEqual(['{contact}'])
})

test('a placeholder may repeat, a tag only as often as the page knows it', () => {
  expect(compareMarks('{name}', '{name} and {name}').extra).toEqual([])
  expect(compareMarks('<b>a</b>', '<b>a</b> <b>b</b>')).toEqual({ lacking: [], extra: ['<b>', '</b>'] })
})
