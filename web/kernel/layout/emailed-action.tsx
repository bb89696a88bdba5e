import type { ReactNode } from 'react'
import { useAction } from '../actions/use-action.ts'
import { CallFailed } from '../call/call.ts'
import { useMessages } from '../i18n/messages.tsx'
import { Button } from '../ui/button.tsx'
import { FormStatus, Message } from '../ui/form-status.tsx'
import { LoginFrame } from './login-frame.tsx'

type Props = {
  heading: string
  lead: string
  /** The label of the button. */
  label: string
  kind?: 'primary' | 'danger'
  step: () => Promise<unknown>
  done: string
  /** Messages for error codes of this link. */
  errors: Readonly<Record<string, string>>
  foot?: ReactNode
}

/** The page that an emailed link opens. It requires a click, because mail scanners follow links. */
export function EmailedAction({ heading, lead, label, kind = 'primary', step, done, errors, foot }: Props) {
  const { t } = useMessages()
  const { isBusy, isDone, failure, error, run } = useAction()
  const known = failure instanceof CallFailed ? errors[failure.code] : undefined
  return (
    <LoginFrame heading={heading} lead={lead} foot={foot}>
      {isDone ? (
        <Message kind="good" role="status">
          <p>{done}</p>
        </Message>
      ) : (
        <div>
          <Button kind={kind} busy={isBusy} busyLabel={t('forms.sending')} onClick={() => void run(step)}>
            {label}
          </Button>
        </div>
      )}
      <FormStatus error={known ?? error} />
    </LoginFrame>
  )
}
