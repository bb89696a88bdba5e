import type { readHealth } from '#contract/console-health.ts'
import type { OutputOf } from '#contract/endpoint.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Empty } from '../../ui/empty.tsx'
import { PagePart } from '../../ui/page-head.tsx'
import { Table } from '../../ui/table.tsx'

/** Processes of the application that share the database. */
export function Instances({ instances }: { instances: OutputOf<typeof readHealth>['instances'] }) {
  const { t, formatDateTime } = useMessages()
  return (
    <PagePart id="health-instances-heading" heading={t('health.instances')}>
      {instances.length === 0 ? (
        <Empty title={t('health.instances.none')} />
      ) : (
        <Table
          caption={t('health.instances')}
          rows={instances}
          rowKey={({ id }) => id}
          columns={[
            {
              name: 'id',
              heading: t('health.instances.id'),
              cell: ({ id, isThis }) => (isThis ? t('health.instances.this', { id }) : id),
            },
            { name: 'host', heading: t('health.instances.host'), cell: ({ host }) => host },
            {
              name: 'version',
              heading: t('health.instances.version'),
              cell: ({ version, node }) => `${version}, ${node}`,
            },
            {
              name: 'since',
              heading: t('health.instances.since'),
              cell: ({ startedAt }) => formatDateTime(startedAt),
            },
            {
              name: 'seen',
              heading: t('health.instances.seen'),
              cell: ({ seenAt }) => formatDateTime(seenAt),
            },
          ]}
        />
      )}
    </PagePart>
  )
}
