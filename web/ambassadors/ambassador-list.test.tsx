// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'
import { AmbassadorList } from './ambassador-program-page.tsx'

const t = wordsOf('en')
const person = (name: string, isSpecial: boolean) => ({
  id: name.toLowerCase(),
  slug: name.toLowerCase(),
  name,
  location: 'Porthaven',
  photo: undefined,
  profile: undefined,
  isSpecial,
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
  ['how to recognize an ambassador', 'ambassador.list.intro', [person('Ada', false)]],
  ['that there is nobody yet', 'ambassador.list.none', []],
] as const)('the introduction says %s', (_, intro, others) => {
  show(<AmbassadorList special={[]} others={others} />)
  expect(screen.getByText(t(intro))).toBeVisible()
})
