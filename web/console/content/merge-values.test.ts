import { expect, test } from 'vitest'
import { mergeValues } from './merge-values.ts'

const entry = (id: string, title: string, text = '') => ({ id, en: { title, text } })
const base = [entry('a', 'A'), entry('b', 'B')]

test('changes by different people in different fields are merged', () => {
  const mine = [entry('a', 'A1'), entry('b', 'B')]
  const theirs = [entry('a', 'A', 'Text'), entry('b', 'B2'), entry('c', 'C')]
  expect(mergeValues(base, mine, theirs)).toEqual({
    value: [entry('a', 'A1', 'Text'), entry('b', 'B2'), entry('c', 'C')],
    conflicts: [],
  })
})

test('a conflict in the same field is reported, and the chosen side wins', () => {
  const mine = [entry('a', 'Mine'), entry('b', 'B')]
  const theirs = [entry('a', 'Theirs'), entry('b', 'B')]
  const conflict = { place: 'a.en.title', mine: 'Mine', theirs: 'Theirs' }
  expect(mergeValues(base, mine, theirs)).toEqual({ value: mine, conflicts: [conflict] })
  expect(mergeValues(base, mine, theirs, { 'a.en.title': 'theirs' }).value).toEqual(theirs)
})

test('an entry removed by one side is gone, unless the other one changed it', () => {
  const without = [entry('b', 'B')]
  expect(mergeValues(base, without, [...base, entry('c', 'C')])).toEqual({
    value: [entry('b', 'B'), entry('c', 'C')],
    conflicts: [],
  })
  const changed = [entry('a', 'A2'), entry('b', 'B')]
  expect(mergeValues(base, without, changed).conflicts).toEqual([
    { place: 'a', mine: undefined, theirs: entry('a', 'A2') },
  ])
  expect(mergeValues(base, without, changed, { a: 'theirs' }).value).toContainEqual(entry('a', 'A2'))
})

test('the side that moved entries decides their order', () => {
  const moved = base.toReversed()
  const longer = [...base, entry('c', 'C')]
  expect(mergeValues(base, moved, longer).value).toEqual([...moved, entry('c', 'C')])
  expect(mergeValues(base, longer, moved).value).toEqual([...longer])
  expect(mergeValues(base, [entry('a', 'A1'), entry('b', 'B')], moved).value).toEqual([
    entry('b', 'B'),
    entry('a', 'A1'),
  ])
})
