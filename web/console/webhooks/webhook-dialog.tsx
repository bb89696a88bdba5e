import { useState } from 'react'
import { levelOf } from '#contract/people/level-of.ts'
import { chosenEventTypes, isOfFinance, type ChosenEventType } from '#contract/integrations/webhook-events.ts'
import { createWebhook, updateWebhook, type Webhook } from '#contract/integrations/webhooks.ts'
import { call, CallFailed } from '../../kernel/call/call.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { boundsOf } from '../../kernel/forms/field-bounds.ts'
import { LongTextField } from '../../kernel/forms/long-text.tsx'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { useSession } from '../../kernel/session/session.ts'
import { Checkbox, TextField } from '../../kernel/ui/field.tsx'
import { SecretDialog } from '../one-time-secret.tsx'
import styles from './webhooks.module.css'

const fields = createWebhook.body.shape
type Done = { webhook: Webhook; secret?: string }
type Props = { webhook?: Webhook; onDone: (done: Done) => void; onClose: () => void }

/** Adds an endpoint, or edits the given one. */
export function WebhookDialog({ webhook, onDone, onClose }: Props) {
  const { t } = useMessages()
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [description, setDescription] = useState(webhook?.description ?? '')
  const [events, setEvents] = useState<readonly ChosenEventType[]>(webhook?.events ?? [])
  const [isAsked, setAsked] = useState(false)
  /** The error that the server returned. */
  const [serverError, setServerError] = useState<string>()
  const urlError = () => {
    if (isAsked && !url.trim()) return t('field.required')
    return serverError === url ? t('webhooks.urlWrong') : undefined
  }
  const step = (): Promise<Done> | null => {
    setAsked(true)
    if (!url.trim() || events.length === 0) return null
    const body = { url, description, events: [...events] }
    if (!webhook) return call(createWebhook, { body })
    const { id, updatedAt } = webhook
    return call(updateWebhook, { body: { ...body, id, updatedAt } }).then((changed) => ({ webhook: changed }))
  }
  return (
    <ConfirmDialog
      title={t(webhook ? 'webhooks.editTitle' : 'webhooks.createTitle')}
      label={t(webhook ? 'webhooks.save' : 'webhooks.create')}
      step={step}
      onDone={onDone}
      onFailure={(failure) => {
        const isUrl = failure instanceof CallFailed && failure.errors.some(({ path }) => path === 'url')
        if (isUrl) setServerError(url)
        return isUrl
      }}
      onClose={onClose}
    >
      <LongTextField
        label={t('webhooks.url')}
        help={t('webhooks.urlHelp')}
        error={urlError()}
        value={url}
        inputMode="url"
        maxLength={boundsOf(fields.url).maxLength}
        onChange={({ target }) => setUrl(target.value)}
      />
      <TextField
        label={t('webhooks.description')}
        optional={t('forms.optional')}
        value={description}
        maxLength={boundsOf(fields.description).maxLength}
        autoComplete="off"
        onChange={({ target }) => setDescription(target.value)}
      />
      <Events webhook={webhook} chosen={events} isAsked={isAsked} onChange={setEvents} />
    </ConfirmDialog>
  )
}

type EventsProps = {
  webhook: Webhook | undefined
  chosen: readonly ChosenEventType[]
  isAsked: boolean
  onChange: (chosen: readonly ChosenEventType[]) => void
}

function Events({ webhook, chosen, isAsked, onChange }: EventsProps) {
  const { t } = useMessages()
  const { member } = useSession()
  const readsFinance = member !== null && levelOf(member, 'finance') > 0
  const isMissing = isAsked && chosen.length === 0
  const lackOf = (type: ChosenEventType): string | undefined => {
    if (!isOfFinance(type)) return undefined
    if (!readsFinance) return t('webhooks.takesFinance')
    const isSecretKnown = webhook && !webhook.isSecretOfFinance && !webhook.events.includes(type)
    return isSecretKnown ? t('webhooks.secretFirst') : undefined
  }
  return (
    <fieldset className={styles.events}>
      <legend>{t('webhooks.events')}</legend>
      {chosenEventTypes.map((type) => (
        <Checkbox
          key={type}
          label={t(`webhooks.event.${type}`)}
          checked={chosen.includes(type)}
          // Members without the level can remove such an event but not add it.
          disabled={lackOf(type) !== undefined && !chosen.includes(type)}
          help={lackOf(type)}
          error={isMissing && type === chosenEventTypes.at(-1) ? t('webhooks.eventsMissing') : undefined}
          onChange={({ target }) =>
            onChange(target.checked ? [...chosen, type] : chosen.filter((each) => each !== type))
          }
        />
      ))}
    </fieldset>
  )
}

export function WebhookSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useMessages()
  return (
    <SecretDialog
      title={t('webhooks.secretTitle')}
      note={<p>{t('webhooks.secretOnce')}</p>}
      label={t('webhooks.secret')}
      secret={secret}
      storedLabel={t('webhooks.secretKept')}
      onClose={onClose}
    />
  )
}
