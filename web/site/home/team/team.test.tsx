// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'
import { Team } from './team.tsx'

const t = wordsOf('en')

const aGroup = (title: string, people: number) => ({
  id: title.toLowerCase(),
  title,
  members: Array.from({ length: people }, (_, at) => ({
    id: `person-${at}`,
    name: `Person ${at}`,
    title: 'Keeper',
    skills: ['Sailing', 'Charts'],
    photo: undefined,
    linkedin: undefined,
    links: undefined,
    isSpecial: false,
  })),
})

test('a group of three opens and closes', async () => {
  const { user } = show(<Team groups={[aGroup('Crew', 3)]} />)
  await user.click(screen.getByRole('button', { name: `${t('home.team.expand')} Crew` }))
  await user.click(screen.getByRole('button', { name: `${t('home.team.showLess')} Crew` }))
  expect(screen.getByRole('region', { name: 'Crew' })).toHaveAttribute('data-collapsed')
})

test.each([1, 2])('a group of %d is open and has no button', (people) => {
  show(<Team groups={[aGroup('Crew', people)]} />)
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.getByRole('region', { name: 'Crew' })).not.toHaveAttribute('data-collapsed')
})
