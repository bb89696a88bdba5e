// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show, signedIn } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'
import { PendingRights } from './pending-rights.tsx'

const rights = {
  isWriteAccessAdmin: true,
  manageNews: 0,
  manageEmployee: 0,
  manageFinance: 0,
  manageCoins: 0,
} as const

test.each(['en', 'cn'] as const)(
  'a member with pending rights reads what to do, with links (%s)',
  async (language) => {
    const t = wordsOf(language)
    await signedIn({ waitingRights: { ...rights, needs: ['password', 'second_factor'] } })
    show(<PendingRights />, language)
    expect(screen.getByText(t('layout.waitingRights.lead'))).toBeVisible()
    expect(
      // A number and its Chinese unit are joined by a no-break space.
      screen.getByRole('link', {
        name: new RegExp(t('layout.waitingRights.password', { min: 12 }).replaceAll(' ', '\\s')),
      }),
    ).toHaveAttribute('href', '/account/security#change-password')
    expect(screen.getByRole('link', { name: t('layout.waitingRights.second_factor') })).toHaveAttribute(
      'href',
      '/account/security',
    )
  },
)

test('a member without pending rights reads nothing', async () => {
  await signedIn()
  const { container } = show(<PendingRights />)
  expect(container).not.toHaveTextContent(wordsOf('en')('layout.waitingRights.lead'))
})
