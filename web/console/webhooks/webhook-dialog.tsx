import { useState } from 'react'
import { levelOf } from '#contract/level-of.ts'
import { chosenEventTypes, isOfFinance, type ChosenEventType } from '#contract/webhook-events.ts'
import { createWebhook, updateWebhook, type Webhook } from '#contract/webhooks.ts'
import { call, CallFailed } from '../../call/call.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { boundsOf } from '../../forms/field-bounds.ts'
import { useWords } from '../../i18n/words.tsx'
import { useSession } from '../../session/session.ts'
import { Checkbox, TextField } from '../../ui/field.tsx'
import { eventWords } from './webhook-words.ts'
import styles from './webhooks.module.css'

const fields = createWebhook.body.shape
type Done = { webhook: Webhook; secret?: string }

/** Adds an endpoint, or changes the one that is given. */
export function WebhookDialog({
  webhook,
  onDone,
  onClose,
}: {
  webhook?: Webhook
  onDone: (done: Done) => void
  onClose: () => void
}) {
  const { t } = useWords()
  const { member } = useSession()
  const readsFinance = member !== null && levelOf(member, 'finance') > 0
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [description, setDescription] = useState(webhook?.description ?? '')
  const [events, setEvents] = useState<readonly ChosenEventType[]>(webhook?.events ?? [])
  const [isAsked, setAsked] = useState(false)
  /** What the server refused. */
  const [refused, setRefused] = useState<string>()
  const lackOf = (type: ChosenEventType): string | undefined => {
    if (!isOfFinance(type)) return undefined
    if (!readsFinance) return t('webhooks.takesFinance')
    const isToldAlready = webhook?.events.includes(type) ?? false
    return webhook && !webhook.isSecretOfFinance && !isToldAlready ? t('webhooks.secretFirst') : undefined
  }
  const urlError =
    isAsked && !url.trim()
      ? t('field.required')
      : refused !== undefined && refused === url
        ? t('webhooks.urlWrong')
        : undefined
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
        if (isUrl) setRefused(url)
        return isUrl
      }}
      onClose={onClose}
    >
      <div className={styles.fields}>
        <TextField
          label={t('webhooks.url')}
          help={t('webhooks.urlHelp')}
          error={urlError}
          value={url}
          inputMode="url"
          maxLength={boundsOf(fields.url).maxLength}
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
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
        <fieldset className={styles.events}>
          <legend>{t('webhooks.events')}</legend>
          {chosenEventTypes.map((type, index) => (
            <Checkbox
              key={type}
              label={t(eventWords[type])}
              checked={events.includes(type)}
              // Whoever lacks the level may take one away, and not add it.
              disabled={lackOf(type) !== undefined && !events.includes(type)}
              help={lackOf(type)}
              error={
                isAsked && events.length === 0 && index === chosenEventTypes.length - 1
                  ? t('webhooks.eventsMissing')
                  : undefined
              }
              onChange={({ target }) =>
                setEvents(target.checked ? [...events, type] : events.filter((each) => each !== type))
              }
            />
          ))}
        </fieldset>
      </div>
    </ConfirmDialog>
  )
}
