import { useState } from 'react'
import { correctMemberEmail, type ConsoleMemberDetail } from '#contract/people/console-members.ts'
import { call, CallFailed } from '../../kernel/call/call.ts'
import { boundsOf } from '../../kernel/forms/field-bounds.ts'
import { TextField } from '../../kernel/ui/field.tsx'
import type { DialogTools } from '../detail/detail-actions.tsx'
import type { DetailContext } from '../detail/detail-page.tsx'
import { ReasonDialog, type ReasonField } from '../detail/reason-dialog.tsx'

type Props = DialogTools<ConsoleMemberDetail> & {
  of: DetailContext<ConsoleMemberDetail>
  reason: ReasonField
}

/** Asks for the new address of a member. */
export function CorrectEmailDialog({ of, reason, attempt, finish, onFailure, ...rest }: Props) {
  const { t, name, record: member } = of
  const [email, setEmail] = useState('')
  const [problem, setProblem] = useState<string>()
  return (
    <ReasonDialog
      {...rest}
      title={t('consoleMembers.emailCorrection.title', { name })}
      text={t('consoleMembers.emailCorrection.text', { email: member.email })}
      label={t('consoleMembers.emailCorrection.label')}
      reason={reason}
      step={(given) => {
        const isEmpty = email.trim() === ''
        setProblem(isEmpty ? t('field.required') : undefined)
        if (isEmpty) return null
        const body = { email: email.trim(), reason: given }
        return attempt(call(correctMemberEmail, { params: { id: member.id }, body }))
      }}
      onDone={finish(t('consoleMembers.emailCorrection.done'))}
      onFailure={(failure) => {
        const wrong = failure instanceof CallFailed && failure.errors.find(({ path }) => path === 'email')
        if (!wrong) return onFailure(failure)
        setProblem(wrong.message)
        return true
      }}
    >
      <p>{t('consoleMembers.emailCorrection.lostMailbox')}</p>
      <TextField
        type="email"
        label={t('consoleMembers.emailCorrection.new')}
        autoComplete="off"
        maxLength={boundsOf(correctMemberEmail.body.shape.email).maxLength}
        error={problem}
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
    </ReasonDialog>
  )
}
