// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { showPage } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'

test.each(['en', 'cn'] as const)('an address that is too long is told the limit: %s', async (language) => {
  const t = wordsOf(language)
  const { user } = await showPage('/login/signup', language)
  const field = screen.getByLabelText(t('forms.email.label'))
  await user.click(field)
  fireEvent.input(field, { target: { value: `${'a'.repeat(300)}@example.org` } })
  await user.tab()
  expect(field).toHaveAccessibleDescription(expect.stringContaining(t('field.too_long', { max: 254 })))
})
