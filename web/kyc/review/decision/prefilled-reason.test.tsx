// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { aKycCase } from '#tests/setup/a-kyc-case.ts'
import { show } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'
import { DecisionForm } from './decision-form.tsx'
import { noDraft } from './draft.ts'

const t = wordsOf('en')
const proposed = aKycCase({
  finalProposedBy: { id: 'two', name: 'Two' },
  finalProposedReason: 'Forged.',
  isFourEyesRequired: true,
})

function Form() {
  const [draft, setDraft] = useState(noDraft)
  return (
    <DecisionForm
      kycCase={proposed}
      draft={draft}
      onChange={setDraft}
      onDecide={async () => {}}
      officerId="me"
    />
  )
}

test('the second reviewer of a final rejection starts from the proposed reason, which is not used for other outcomes', async () => {
  const { user } = show(<Form />)
  const radio = (key: string) => screen.getByRole('radio', { name: (name) => name.startsWith(t(key)) })
  const reason = () => screen.getByRole('textbox', { name: (name) => name.startsWith(t('review.reason')) })
  await user.click(radio('review.final'))
  expect(reason()).toHaveValue('Forged.')
  await user.click(radio('review.more'))
  expect(reason()).toHaveValue('')
  await user.type(reason(), 'Another photo.')
  await user.click(radio('review.final'))
  expect(reason()).toHaveValue('Another photo.')
})
