import { type ReactNode } from 'react'
import * as z from 'zod/mini'
import { factorCode } from '#contract/fields.ts'
import { failureMessage } from '../actions/failure-message.ts'
import type { CallFailed } from '../call/call-failed.ts'
import { FormFrame } from '../forms/form-frame.tsx'
import { FormCode } from '../forms/form-code.tsx'
import { useContractForm } from '../forms/use-contract-form.ts'
import { useMessages } from '../i18n/messages.tsx'

const factor = z.object({ secondFactor: factorCode })

/** A code of the authenticator app, or a recovery code. */
export function SecondFactorForm({
  hasTotp,
  isFirst,
  send,
  onSignedIn,
  beside,
}: {
  hasTotp: boolean
  /** Whether it is the first method offered in this step. */
  isFirst: boolean
  send: (code: string) => Promise<unknown>
  onSignedIn: () => Promise<void>
  beside: ReactNode
}) {
  const { t } = useMessages()
  const factorForm = useContractForm({
    schema: factor,
    labels: { secondFactor: hasTotp ? 'login.factor.label' : 'login.factor.recovery.label' },
    submit: async ({ secondFactor }) => {
      await send(secondFactor)
      await onSignedIn()
    },
  })
  const explain = (failure: CallFailed) => {
    if (failure.code === 'second_factor_required')
      return t(hasTotp ? 'login.factor.wrong' : 'login.factor.recovery.wrong')
    // Only the rate limit of codes leaves other factors available.
    const isOpen = failure.code === 'rate_limited' && (failure.secondFactor?.kinds.length ?? 0) > 0
    return isOpen && `${failureMessage(t, failure)} ${t('login.factor.limited')}`
  }
  return (
    <FormFrame
      of={factorForm}
      startAt={isFirst ? 'secondFactor' : undefined}
      submitLabel={t('login.signin.submit')}
      busyLabel={t('login.signin.busy')}
      explain={explain}
      beside={beside}
    >
      <FormCode
        of={factorForm}
        name="secondFactor"
        help={t(hasTotp ? 'login.factor.help' : 'login.factor.recovery.help')}
      />
    </FormFrame>
  )
}
