import { expect, test } from 'vitest'
import { compareMarks } from './marks-in.ts'

test('a text keeps what the page fills in and the tags it knows', () => {
  const original = 'Read <link>the terms</link> of {date}, {brand}.'
  expect(compareMarks(original, 'On {date}: <link>terms</link>')).toEqual({ lacking: [], extra: [] })
  expect(compareMarks(original, '{ticker}: <b>terms</b> of {day}')).toEqual({
    lacking: ['<link>', '</link>', '{date}'],
    extra: ['<b>', '</b>', '{day}'],
  })
  // Filled by the API alone, where its own sentences have it.
  expect(compareMarks('Write to us.', 'Write to {contact}.').extra).toEqual(['{contact}'])
})

test('a placeholder may stand twice, a tag as often as the page knows it', () => {
  expect(compareMarks('{name}', '{name} and {name}').extra).toEqual([])
  expect(compareMarks('<b>a</b>', '<b>a</b> <b>b</b>')).toEqual({ lacking: [], extra: ['<b>', '</b>'] })
})
