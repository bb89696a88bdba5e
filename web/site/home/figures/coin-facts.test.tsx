// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'
import { CoinFacts } from './coin-facts.tsx'

const t = wordsOf('en')
const fact = (id: string, day?: string) => ({
  id,
  label: id,
  value: '1',
  date: day === undefined ? undefined : { iso: day, text: `day ${day}` },
})
const updated = (day: string) => t('home.coinFacts.updated', { date: `day ${day}` })

test('shows a date once if all figures share it, and no date for figures that never change', () => {
  show(<CoinFacts facts={[fact('limit'), fact('mined', '2036-05-01'), fact('reward', '2036-05-01')]} />)
  expect(screen.getAllByText(updated('2036-05-01'))).toHaveLength(1)
})

test('shows the date of each figure if the dates differ', () => {
  show(<CoinFacts facts={[fact('mined', '2036-05-01'), fact('reward', '2036-06-01')]} />)
  for (const day of ['2036-05-01', '2036-06-01']) expect(screen.getByText(updated(day))).toBeVisible()
})
