import { useState, type ReactNode } from 'react'
import * as z from 'zod/mini'
import {
  confirmLostFactor,
  declineLostFactor,
  how,
  openLostFactor,
  type LostFactor,
} from '#contract/lost-factors.ts'
import { call } from '../../call/call.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { FormFrame } from '../../forms/form-frame.tsx'
import { FormTextArea } from '../../forms/form-input.tsx'
import { useContractForm } from '../../forms/use-contract-form.ts'
import { useWords } from '../../i18n/words.tsx'
import { showNotice } from '../../notices/notices.ts'
import { Button } from '../../ui/button.tsx'
import { Tag } from '../../ui/tag.tsx'
import styles from './lost-factors.module.css'

type Props = {
  request: LostFactor
  staffId: string
  onChanged: (request: LostFactor) => void
  onGone: () => void
}

const states = {
  asked: { colour: 'yellow', words: 'lostFactors.state.asked' },
  opened: { colour: 'verdigris', words: 'lostFactors.state.opened' },
  confirmed: { colour: 'green', words: 'lostFactors.state.confirmed' },
} as const

/** One recovery request: who made it, what was recorded, and the actions available to the reader. */
export function LostFactorRequest({ request, staffId, onChanged, onGone }: Props) {
  const { t, formatDateTime } = useWords()
  const [asking, setAsking] = useState<'confirm' | 'decline'>()
  const { id, member, state, openedBy, openedAt, takesEffectAt } = request
  const name = member.name || member.email
  const isOwn = member.id === staffId
  const isOpener = openedBy?.id === staffId
  const decline = (
    <Button
      kind="danger"
      aria-label={t('lostFactors.declineNamed', { name })}
      onClick={() => setAsking('decline')}
    >
      {t('lostFactors.decline')}
    </Button>
  )
  return (
    <li className={styles.request}>
      <div className={styles.head}>
        <h2>{name}</h2>
        <Tag colour={states[state].colour}>{t(states[state].words)}</Tag>
      </div>
      <p>{t('lostFactors.asked', { email: member.email, time: formatDateTime(request.askedAt) })}</p>
      {openedBy && openedAt && (
        <>
          <p>{t('lostFactors.opened', { name: openedBy.name, time: formatDateTime(openedAt) })}</p>
          <blockquote className={styles.quote}>{request.how}</blockquote>
        </>
      )}
      {takesEffectAt && request.confirmedBy && (
        <p>
          {t('lostFactors.confirmed', {
            name: request.confirmedBy.name,
            time: formatDateTime(takesEffectAt),
          })}
        </p>
      )}
      {isOwn && <p>{t('lostFactors.own')}</p>}
      {!isOwn && state === 'asked' && <OpenForm request={request} onOpened={onChanged} beside={decline} />}
      {!isOwn && state === 'opened' && isOpener && <p>{t('lostFactors.another')}</p>}
      {!isOwn && state !== 'asked' && (
        <div className={styles.actions}>
          {state === 'opened' && !isOpener && (
            <Button onClick={() => setAsking('confirm')}>{t('lostFactors.confirm')}</Button>
          )}
          {decline}
        </div>
      )}
      {asking === 'confirm' && (
        <ConfirmDialog
          title={t('lostFactors.confirmTitle', { name })}
          label={t('lostFactors.confirm')}
          step={() => call(confirmLostFactor, { body: { id } })}
          onDone={(changed) => {
            onChanged(changed)
            showNotice(t('lostFactors.confirmedNotice'), 'success')
          }}
          onClose={() => setAsking(undefined)}
        >
          <p>{t('lostFactors.confirmText')}</p>
          <blockquote className={styles.quote}>{request.how}</blockquote>
        </ConfirmDialog>
      )}
      {asking === 'decline' && (
        <ConfirmDialog
          title={t('lostFactors.declineTitle', { name })}
          label={t('lostFactors.decline')}
          kind="danger"
          step={() => call(declineLostFactor, { body: { id } })}
          onDone={() => {
            onGone()
            showNotice(t('lostFactors.declinedNotice'), 'success')
          }}
          onClose={() => setAsking(undefined)}
        >
          <p>{t('lostFactors.declineText')}</p>
        </ConfirmDialog>
      )}
    </li>
  )
}

const opening = z.object({ how })

function OpenForm({
  request,
  onOpened,
  beside,
}: {
  request: LostFactor
  onOpened: (request: LostFactor) => void
  beside: ReactNode
}) {
  const { t } = useWords()
  const openForm = useContractForm({
    schema: opening,
    labels: { how: 'lostFactors.how' },
    submit: async (given) => {
      onOpened(await call(openLostFactor, { body: { id: request.id, ...given } }))
      showNotice(t('lostFactors.openedNotice'), 'success')
    },
  })
  return (
    <div className={styles.form}>
      <FormFrame
        of={openForm}
        label={t('lostFactors.openNamed', { name: request.member.name || request.member.email })}
        submitLabel={t('lostFactors.open')}
        busyLabel={t('forms.saving')}
        beside={beside}
      >
        <FormTextArea of={openForm} name="how" help={t('lostFactors.howHelp')} />
      </FormFrame>
    </div>
  )
}
