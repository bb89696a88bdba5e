import { useRef, useState } from 'react'
import {
  deleteWebhook,
  getWebhook,
  rotateWebhookSecret,
  setWebhookState,
  testWebhook,
  type Webhook,
} from '#contract/integrations/webhooks.ts'
import { levelOf } from '#contract/people/level-of.ts'
import { call } from '../../kernel/call/call.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { Message } from '../../kernel/ui/form-status.tsx'
import type { ActionList } from '../detail/detail-actions.tsx'
import { detailPage, type DetailContext } from '../detail/detail-page.tsx'
import type { LabeledValues } from '../detail/labeled-facts.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { HoursDialog } from './hours-dialog.tsx'
import { WebhookDialog, WebhookSecret } from './webhook-dialog.tsx'
import { WebhookStateTag } from './webhook-state.tsx'
import styles from './webhooks.module.css'

type Context = DetailContext<Webhook>

function actionsOf(of: Context): ActionList<Webhook> {
  const { t, record: webhook, reader, reload } = of
  const { id, state, disabledFor, waiting } = webhook
  const isActive = state === 'active'
  return {
    actions: [
      {
        words: 'webhooks.pause',
        isOffered: isActive,
        isImmediate: true,
        step: () => call(setWebhookState, { body: { id, state: 'paused' } }),
        next: 'reload',
      },
      {
        words: 'webhooks.resume',
        isOffered: !isActive && (disabledFor !== 'finance_lost' || levelOf(reader, 'finance') >= 1),
        kind: 'primary',
        isImmediate: true,
        step: () => call(setWebhookState, { body: { id, state: 'active' } }),
        next: 'reload',
      },
      {
        words: 'webhooks.test',
        isOffered: true,
        ...(isActive ? { kind: 'primary' } : { notice: t('webhooks.testWaits') }),
        isImmediate: true,
        step: () => call(testWebhook, { body: { id } }),
        next: 'reload',
      },
      {
        words: 'webhooks.edit',
        isOffered: true,
        dialog: ({ onClose }) => (
          <WebhookDialog
            webhook={webhook}
            onDone={() => {
              reload()
              showNotice(t('webhooks.saved'), 'success')
            }}
            onClose={onClose}
          />
        ),
      },
      {
        words: 'webhooks.rotate',
        isOffered: true,
        dialog: ({ onClose }) => <RotateDialog id={id} onRotated={reload} onClose={onClose} />,
      },
      {
        words: 'webhooks.delete',
        isOffered: true,
        kind: 'danger',
        text: t('webhooks.delete.text', { waiting }),
        step: () => call(deleteWebhook, { body: { id } }),
        next: 'leave',
      },
    ],
  }
}

const overlaps = [0, 24, 168] as const

type RotateProps = { id: string; onRotated: () => void; onClose: () => void }

/** Asks how long the former secret stays valid, and then shows the new one. */
function RotateDialog({ id, onRotated, onClose }: RotateProps) {
  const { t } = useMessages()
  const [secret, setSecret] = useState<string>()
  const isRotated = useRef(false)
  const rotate = async (overlapHours: number) => {
    const rotated = await call(rotateWebhookSecret, { body: { id, overlapHours } })
    isRotated.current = true
    return rotated
  }
  const close = () => {
    onClose()
    onRotated()
  }
  if (secret) return <WebhookSecret secret={secret} onClose={close} />
  return (
    <HoursDialog
      title={t('webhooks.rotate.title')}
      label={t('webhooks.rotate.label')}
      text={t('webhooks.rotate.text')}
      choice={t('webhooks.overlap')}
      options={overlaps.map((hours) => ({ hours, label: t(`webhooks.overlap.${hours}`) }))}
      step={rotate}
      onDone={(rotated) => setSecret(rotated.secret)}
      // The dialog that follows needs this one to stay.
      onClose={() => isRotated.current || onClose()}
    />
  )
}

/** What prevents deliveries, and the consequences. */
function Standing({ of: { t, language, record } }: { of: Context }) {
  const { disabledFor, disabledAt, failingSince, state } = record
  const note = () => {
    if (disabledFor) {
      const time = disabledAt ? formatMoment(disabledAt, language) : '–'
      return t(`webhooks.disabledFor.${disabledFor}`, { time })
    }
    if (state === 'paused') return t('webhooks.pausedNote')
    return failingSince && t('webhooks.failingNote', { time: formatMoment(failingSince, language) })
  }
  const noteText = note()
  return (
    noteText && (
      <Message kind={state === 'paused' && !disabledFor ? 'note' : 'bad'}>
        <p>{noteText}</p>
      </Message>
    )
  )
}

const factsOf = ({ t, moment, record: webhook }: Context): LabeledValues => ({
  'webhooks.events': (
    <ul className={styles.list}>
      {webhook.events.map((type) => (
        <li key={type}>
          {t(`webhooks.event.${type}`)} <code>{type}</code>
        </li>
      ))}
    </ul>
  ),
  'webhooks.lastDelivered': webhook.lastDeliveredAt ? moment(webhook.lastDeliveredAt) : t('webhooks.never'),
  'webhooks.waiting': webhook.waiting,
  'webhooks.failures': webhook.failed,
  'webhooks.formerUntil': webhook.formerSecretUntil && moment(webhook.formerSecretUntil),
  'webhooks.created': moment(webhook.createdAt),
})

export default detailPage<Webhook>({
  route: 'console.webhook',
  back: 'webhooks.toList',
  failed: 'webhooks.failed',
  gone: 'webhooks.gone',
  read: (id) => call(getWebhook, { params: { id } }),
  mayAct: () => true,
  name: ({ record }) => record.description || new URL(record.url).host,
  title: ({ name }) => name,
  lead: ({ record }) => (
    <>
      <WebhookStateTag webhook={record} /> <span className={styles.url}>{record.url}</span>
    </>
  ),
  actions: actionsOf,
  notices: (of) => <Standing of={of} />,
  columns: [(of) => [{ id: 'webhook-settings', heading: 'webhooks.settings', facts: factsOf(of) }]],
  below: ({ record, changes, refresh, reload }) => (
    <DeliveryLog webhook={record} reloads={changes} reload={refresh} onChanged={reload} />
  ),
})
