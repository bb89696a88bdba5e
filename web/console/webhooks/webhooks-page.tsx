import { useState } from 'react'
import { listWebhooks, type Webhook } from '#contract/integrations/webhooks.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { navigate } from '../../kernel/navigation/navigate.ts'
import { page } from '../../kernel/routes/page.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { useSession } from '../../kernel/session/session.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { Empty } from '../../kernel/ui/empty.tsx'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { Table, type Column } from '../../kernel/ui/table.tsx'
import { ListTime } from '../list/list-time.tsx'
import { useActionDialog } from '../use-asked-action.ts'
import { WebhookDialog, WebhookSecret } from './webhook-dialog.tsx'
import { WebhookStateTag } from './webhook-state.tsx'
import styles from './webhooks.module.css'

function WebhooksView() {
  const { t } = useMessages()
  const { member } = useSession()
  const [isAdding, setAdding] = useActionDialog('webhooks.add')
  const [added, setAdded] = useState<{ id: string; secret: string }>()
  return (
    <>
      <PageHead
        heading={t('webhooks.heading')}
        lead={t('webhooks.lead')}
        action={<Button onClick={() => setAdding(true)}>{t('webhooks.add')}</Button>}
      />
      {member && <Endpoints key={added?.id} />}
      {isAdding && (
        <WebhookDialog
          onDone={({ webhook, secret = '' }) => setAdded({ id: webhook.id, secret })}
          onClose={() => setAdding(false)}
        />
      )}
      {added && (
        <WebhookSecret
          secret={added.secret}
          onClose={() => void navigate(pathTo('console.webhook', { id: added.id }))}
        />
      )}
    </>
  )
}

function Endpoints() {
  const { t } = useMessages()
  const loaded = useLoaded('webhooks', () => call(listWebhooks, {}))
  if (loaded.state !== 'ready') return <NotLoaded of={loaded} title={t('webhooks.failed')} />
  if (loaded.data.length === 0)
    return (
      <Empty title={t('webhooks.none')}>
        <p>{t('webhooks.noneHelp')}</p>
      </Empty>
    )
  const columns: Column<Webhook>[] = [
    {
      name: 'url',
      heading: t('webhooks.url'),
      cell: ({ id, url, description }) => (
        <div className={styles.address}>
          <a href={pathTo('console.webhook', { id })}>{url}</a>
          {description && <span>{description}</span>}
        </div>
      ),
    },
    {
      name: 'events',
      heading: t('webhooks.events'),
      cell: ({ events }) => (
        <ul className={styles.list}>
          {events.map((type) => (
            <li key={type}>{t(`webhooks.event.${type}`)}</li>
          ))}
        </ul>
      ),
    },
    {
      name: 'state',
      heading: t('webhooks.state'),
      cell: (webhook) => <WebhookStateTag webhook={webhook} />,
    },
    { name: 'waiting', heading: t('webhooks.waiting'), isFigure: true, cell: ({ waiting }) => waiting },
    { name: 'failed', heading: t('webhooks.failures'), isFigure: true, cell: ({ failed }) => failed },
    {
      name: 'last',
      heading: t('webhooks.lastDelivered'),
      cell: ({ lastDeliveredAt: at }) => (at ? <ListTime at={at} /> : t('webhooks.never')),
    },
  ]
  return (
    <Table caption={t('webhooks.heading')} columns={columns} rows={loaded.data} rowKey={({ id }) => id} />
  )
}

export default page({ View: WebhooksView })
