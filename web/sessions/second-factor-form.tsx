import { useEffect } from 'react'
import * as z from 'zod/mini'
import { requiredLine } from '#contract/fields.ts'
import type { CallFailed } from '../call.ts'
import { FormFrame } from '../forms/form-frame.tsx'
import { FormInput } from '../forms/form-input.tsx'
import { useContractForm } from '../forms/use-contract-form.ts'
import { useWords } from '../i18n/words.tsx'
import { signIn } from '../session.ts'
import { TextButton } from '../ui/button.tsx'
import type { Credentials } from './credentials-form.tsx'

const codeLengthMax = 40
const factor = z.object({ secondFactor: requiredLine(codeLengthMax) })

/** The second step of a sign-in: a code of the authenticator app, or a recovery code. */
export function SecondFactorForm({
  credentials,
  onSignedIn,
  onBack,
}: {
  credentials: Credentials
  onSignedIn: () => Promise<void>
  onBack: () => void
}) {
  const { t } = useWords()
  const factorForm = useContractForm({
    schema: factor,
    labels: { secondFactor: 'login.factor.label' },
    submit: async ({ secondFactor }) => {
      await signIn({ ...credentials, secondFactor })
      await onSignedIn()
    },
  })
  const { setFocus } = factorForm.form
  // The step before has left the page with the focus: it belongs into the new field.
  useEffect(() => setFocus('secondFactor'), [setFocus])
  const explain = (failure: CallFailed) =>
    failure.code === 'second_factor_required' ? t('login.factor.wrong') : undefined
  return (
    <FormFrame
      of={factorForm}
      submitLabel={t('login.signin.submit')}
      busyLabel={t('login.signin.busy')}
      explain={explain}
      beside={<TextButton onClick={onBack}>{t('login.factor.back')}</TextButton>}
    >
      <FormInput
        of={factorForm}
        name="secondFactor"
        autoComplete="one-time-code"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        limits={{ max: codeLengthMax }}
        help={t('login.factor.help')}
      />
    </FormFrame>
  )
}
