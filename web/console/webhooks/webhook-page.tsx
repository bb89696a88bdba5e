import { useState } from 'react'
import { getWebhook, type Webhook } from '#contract/webhooks.ts'
import { LoadFailed } from '../../actions/load-failed.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call, CallFailed } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { page, type PageProps } from '../../routes/page.ts'
import { pathTo } from '../../routes/routes.ts'
import { useSession } from '../../session/session.ts'
import { Empty } from '../../ui/empty.tsx'
import { Facts } from '../../ui/description-list.tsx'
import { Message } from '../../ui/form-status.tsx'
import { Loading } from '../../ui/loading.tsx'
import { PageHead, PagePart } from '../../ui/page-head.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { WebhookActions } from './webhook-actions.tsx'
import { WebhookStateTag } from './webhook-state.tsx'
import styles from './webhooks.module.css'

function WebhookView({ params }: PageProps<unknown>) {
  const { member } = useSession()
  return member && <OneWebhook key={params['id']} id={params['id'] ?? ''} />
}

function OneWebhook({ id }: { id: string }) {
  const { t } = useMessages()
  const loaded = useLoaded(id, () => call(getWebhook, { params: { id } }))
  const [reloads, setReloads] = useState(0)
  if (loaded.state !== 'ready')
    return (
      <>
        <PageHead heading={t('webhooks.heading')} />
        {loaded.state === 'loading' ? (
          <Loading label={t('forms.loading')} />
        ) : (
          <NotShown failure={loaded.failure} retry={loaded.retry} />
        )}
      </>
    )
  const refreshListing = () => {
    loaded.reload()
    setReloads((before) => before + 1)
  }
  return (
    <>
      <LoadedWebhook webhook={loaded.data} onChanged={refreshListing} />
      <DeliveryLog
        reloads={reloads}
        webhook={loaded.data}
        reload={loaded.reload}
        onChanged={refreshListing}
      />
    </>
  )
}

function NotShown({ failure, retry }: { failure: unknown; retry: () => void }) {
  const { t } = useMessages()
  const alternative = <a href={pathTo('console.webhooks')}>{t('webhooks.toList')}</a>
  if (failure instanceof CallFailed && failure.code === 'not_found')
    return (
      <Empty role="status" title={t('webhooks.gone')}>
        {alternative}
      </Empty>
    )
  return <LoadFailed title={t('webhooks.failed')} failure={failure} retry={retry} alternative={alternative} />
}

function LoadedWebhook({ webhook, onChanged }: { webhook: Webhook; onChanged: () => void }) {
  const { t, formatDateTime } = useMessages()
  const { lastDeliveredAt: last, formerSecretUntil: until } = webhook
  const time = (at: string) => <time dateTime={at}>{formatDateTime(at)}</time>
  return (
    <>
      <p>
        <a href={pathTo('console.webhooks')}>{t('webhooks.toList')}</a>
      </p>
      <PageHead
        heading={webhook.description || new URL(webhook.url).host}
        lead={
          <span className={styles.lead}>
            <WebhookStateTag webhook={webhook} /> <span className={styles.url}>{webhook.url}</span>
          </span>
        }
        action={<WebhookActions webhook={webhook} onChanged={onChanged} />}
      />
      <Standing webhook={webhook} />
      <PagePart id="webhook-settings" heading={t('webhooks.settings')}>
        <Facts
          facts={[
            {
              name: 'events',
              label: t('webhooks.events'),
              value: (
                <ul className={styles.list}>
                  {webhook.events.map((type) => (
                    <li key={type}>
                      {t(`webhooks.event.${type}`)} <code>{type}</code>
                    </li>
                  ))}
                </ul>
              ),
            },
            {
              name: 'last',
              label: t('webhooks.lastDelivered'),
              value: last ? time(last) : t('webhooks.never'),
            },
            { name: 'waiting', label: t('webhooks.waiting'), value: webhook.waiting },
            { name: 'failed', label: t('webhooks.failures'), value: webhook.failed },
            ...(until ? [{ name: 'former', label: t('webhooks.formerUntil'), value: time(until) }] : []),
            { name: 'created', label: t('webhooks.created'), value: time(webhook.createdAt) },
          ]}
        />
      </PagePart>
    </>
  )
}

/** What prevents deliveries, and the consequences. */
function Standing({ webhook: { disabledFor, disabledAt, failingSince, state } }: { webhook: Webhook }) {
  const { t, formatDateTime } = useMessages()
  const note = () => {
    if (disabledFor) {
      const time = disabledAt ? formatDateTime(disabledAt) : '–'
      return t(`webhooks.disabledFor.${disabledFor}`, { time })
    }
    if (state === 'paused') return t('webhooks.pausedNote')
    return failingSince && t('webhooks.failingNote', { time: formatDateTime(failingSince) })
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

export default page({ View: WebhookView })
