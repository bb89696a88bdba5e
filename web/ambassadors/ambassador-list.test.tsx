// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'
import { AmbassadorList } from './ambassador-program-page.tsx'

const t = wordsOf('en')
const person = (name: string, isSpecial: boolean, isSample = false) => ({
  id: name.toLowerCase(),
  slug: name.toLowerCase(),
  name,
  location: 'Porthaven',
  photo: undefined,
  profile: undefined,
  isSpecial,
  isSample,
})

test('without a special ambassador, all are in the same list', () => {
  show(<AmbassadorList special={[]} others={[person('Ada', false), person('Bo', false)]} />)
  expect(screen.queryByText(t('ambassador.list.special'))).toBeNull()
  expect(screen.getAllByRole('listitem')).toHaveLength(2)
})

test('a single special ambassador has no empty list below', () => {
  show(<AmbassadorList special={[person('Ada', true)]} others={[]} />)
  expect(screen.getByText(t('ambassador.list.special'))).toBeVisible()
  expect(screen.queryByRole('list')).toBeNull()
})

test.each([
  ['all are samples', 'ambassador.list.allSamples', [true, true]],
  ['some are samples', 'ambassador.list.someSamples', [true, false]],
  ['nobody is a sample', 'ambassador.list.intro', [false, false]],
  ['there is nobody yet', 'ambassador.list.none', []],
] as const)('says so if %s', (_, intro, samples) => {
  const others = samples.map((isSample, at) => person(`Person ${at}`, false, isSample))
  show(<AmbassadorList special={[]} others={others} />)
  expect(screen.getByText(t(intro))).toBeVisible()
  const tags = intro === 'ambassador.list.someSamples' ? 1 : 0
  expect(screen.queryAllByText(t('ambassador.list.sample'))).toHaveLength(tags)
})
