import { type ReactNode, useState } from 'react'
import * as z from 'zod/mini'
import {
  approveRecoveryRequest,
  how,
  listRecoveryRequests,
  type RecoveryRequest,
  rejectRecoveryRequest,
  verifyRecoveryRequest,
} from '#contract/people/account-recovery.ts'
import { LoadFailed } from '../../kernel/actions/load-failed.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { FormFrame } from '../../kernel/forms/form-frame.tsx'
import { FormTextArea } from '../../kernel/forms/form-input.tsx'
import { useContractForm } from '../../kernel/forms/use-contract-form.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { staffName } from '../../kernel/i18n/staff-name.ts'
import { showNotice } from '../../kernel/notices/notices.ts'
import { WaitingForNote, waitingForOf, type WaitingFor } from '../../kernel/waiting-for/waiting-for-note.tsx'
import { page, type PageProps } from '../../kernel/routes/page.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { useSession } from '../../kernel/session/session.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { Empty } from '../../kernel/ui/empty.tsx'
import { Loading } from '../../kernel/ui/loading.tsx'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import styles from './account-recovery.module.css'

/** Recovery requests of members who lost their second factor and their recovery codes. */
function RecoveryRequestsView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  const head = <PageHead heading={t('lostFactors.heading')} lead={t('lostFactors.lead')} />
  if (!member) return head
  const waitingFor = waitingForOf(search)
  return (
    <>
      {head}
      <WaitingForNote waitingFor={waitingFor} all={pathTo('console.lostFactors')} />
      <Requests staffId={member.id} waitingFor={waitingFor} />
    </>
  )
}

function Requests({ staffId, waitingFor }: { staffId: string; waitingFor: WaitingFor }) {
  const { t } = useMessages()
  const loaded = useLoaded(`lost factors ${waitingFor ?? ''}`, () =>
    call(listRecoveryRequests, waitingFor ? { query: { waitingFor } } : {}),
  )
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return <LoadFailed title={t('lostFactors.loadFailed')} failure={loaded.failure} retry={loaded.retry} />
  const { data, setData, reload } = loaded
  if (data.length === 0) return <Empty title={t('lostFactors.none')} />
  return (
    <ul className={styles.list}>
      {data.map((request) => (
        <RecoveryRequestCard
          key={request.id}
          request={request}
          staffId={staffId}
          onChanged={(changed) => setData(data.map((each) => (each.id === changed.id ? changed : each)))}
          onGone={reload}
        />
      ))}
    </ul>
  )
}

type Props = {
  request: RecoveryRequest
  staffId: string
  onChanged: (request: RecoveryRequest) => void
  onGone: () => void
}

const states = {
  asked: { colour: 'yellow', words: 'lostFactors.state.asked' },
  opened: { colour: 'verdigris', words: 'lostFactors.state.opened' },
  confirmed: { colour: 'green', words: 'lostFactors.state.confirmed' },
} as const

/** One recovery request: who made it, what was recorded, and the actions available to the reader. */
function RecoveryRequestCard(props: Props) {
  const { request, staffId, onChanged } = props
  const { t } = useMessages()
  const [openDialog, setOpenDialog] = useState<'confirm' | 'decline'>()
  const { member, state, openedBy } = request
  const name = nameIn(request)
  const isOwn = member.id === staffId
  const isOpener = openedBy?.id === staffId
  const close = () => setOpenDialog(undefined)
  const decline = (
    <Button
      kind="danger"
      aria-label={t('lostFactors.declineNamed', { name })}
      onClick={() => setOpenDialog('decline')}
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
      <RequestHistory request={request} />
      {isOwn && <p>{t('lostFactors.own')}</p>}
      {!isOwn && state === 'asked' && <OpenForm request={request} onOpened={onChanged} beside={decline} />}
      {!isOwn && state === 'opened' && isOpener && <p>{t('lostFactors.another')}</p>}
      {!isOwn && state !== 'asked' && (
        <div className={styles.actions}>
          {state === 'opened' && !isOpener && (
            <Button onClick={() => setOpenDialog('confirm')}>{t('lostFactors.confirm')}</Button>
          )}
          {decline}
        </div>
      )}
      {openDialog === 'confirm' && <ApproveDialog {...props} onClose={close} />}
      {openDialog === 'decline' && <RejectDialog {...props} onClose={close} />}
    </li>
  )
}

const nameIn = ({ member }: RecoveryRequest): string => member.name || member.email

/** Who asked, verified, and approved, and when. */
function RequestHistory({ request }: { request: RecoveryRequest }) {
  const { t, language } = useMessages()
  const { member, askedAt, openedBy, openedAt, how, confirmedBy, takesEffectAt } = request
  return (
    <>
      <p>{t('lostFactors.asked', { email: member.email, time: formatMoment(askedAt, language) })}</p>
      {openedBy && openedAt && (
        <>
          <p>
            {t('lostFactors.opened', {
              name: staffName(openedBy.name, language),
              time: formatMoment(openedAt, language),
            })}
          </p>
          <blockquote className={styles.quote}>{how}</blockquote>
        </>
      )}
      {takesEffectAt && confirmedBy && (
        <p>
          {t('lostFactors.confirmed', {
            name: staffName(confirmedBy.name, language),
            time: formatMoment(takesEffectAt, language),
          })}
        </p>
      )}
    </>
  )
}

function ApproveDialog({ request, onChanged, onClose }: Props & { onClose: () => void }) {
  const { t } = useMessages()
  return (
    <ConfirmDialog
      title={t('lostFactors.confirmTitle', { name: nameIn(request) })}
      label={t('lostFactors.confirmDo')}
      step={() => call(approveRecoveryRequest, { body: { id: request.id } })}
      onDone={(changed) => {
        onChanged(changed)
        showNotice(t('lostFactors.confirmedNotice'), 'success')
      }}
      onClose={onClose}
    >
      <p>{t('lostFactors.confirmText')}</p>
      <blockquote className={styles.quote}>{request.how}</blockquote>
    </ConfirmDialog>
  )
}

function RejectDialog({ request, onGone, onClose }: Props & { onClose: () => void }) {
  const { t } = useMessages()
  return (
    <ConfirmDialog
      title={t('lostFactors.declineTitle', { name: nameIn(request) })}
      label={t('lostFactors.declineDo')}
      kind="danger"
      step={() => call(rejectRecoveryRequest, { body: { id: request.id } })}
      onDone={() => {
        onGone()
        showNotice(t('lostFactors.declinedNotice'), 'success')
      }}
      onClose={onClose}
    >
      <p>{t('lostFactors.declineText')}</p>
      <p>{t('console.undo.none')}</p>
    </ConfirmDialog>
  )
}

const opening = z.object({ how })

function OpenForm({
  request,
  onOpened,
  beside,
}: {
  request: RecoveryRequest
  onOpened: (request: RecoveryRequest) => void
  beside: ReactNode
}) {
  const { t } = useMessages()
  const openForm = useContractForm({
    schema: opening,
    labels: { how: 'lostFactors.how' },
    submit: async (given) => {
      onOpened(await call(verifyRecoveryRequest, { body: { id: request.id, ...given } }))
      showNotice(t('lostFactors.openedNotice'), 'success')
    },
  })
  return (
    <div className={styles.form}>
      <FormFrame
        of={openForm}
        label={t('lostFactors.openNamed', { name: nameIn(request) })}
        submitLabel={t('lostFactors.open')}
        busyLabel={t('forms.saving')}
        beside={beside}
      >
        <FormTextArea of={openForm} name="how" help={t('lostFactors.howHelp')} />
      </FormFrame>
    </div>
  )
}

export default page({ View: RecoveryRequestsView })
