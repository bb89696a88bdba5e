import { type HealthJob } from '#contract/console-health.ts'
import { jobNames, type JobName } from '#contract/job-names.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Empty } from '../../ui/empty.tsx'
import { PagePart } from '../../ui/page-head.tsx'
import { Table } from '../../ui/table.tsx'
import { Tag } from '../../ui/tag.tsx'
const colours = { good: 'green', failed: 'red', late: 'yellow' } as const

/** The last run of every background job, failures first. */
export function Jobs({ jobs }: { jobs: readonly HealthJob[] }) {
  const { t, formatDateTime } = useMessages()
  const isNamed = (name: string): name is JobName => (jobNames as readonly string[]).includes(name)
  const sorted = [
    ...jobs.filter(({ state }) => state !== 'good'),
    ...jobs.filter(({ state }) => state === 'good'),
  ]
  return (
    <PagePart id="health-jobs-heading" heading={t('health.jobs')} lead={t('health.jobs.lead')}>
      {sorted.length === 0 ? (
        <Empty title={t('health.jobs.none')} />
      ) : (
        <Table
          caption={t('health.jobs')}
          rows={sorted}
          rowKey={({ name }) => name}
          columns={[
            {
              name: 'job',
              heading: t('health.jobs.name'),
              cell: ({ name }) => (isNamed(name) ? t(`health.job.${name}`) : <code>{name}</code>),
            },
            {
              name: 'state',
              heading: t('health.jobs.state'),
              cell: ({ state, failure }) => (
                <Tag colour={colours[state]}>
                  {state === 'failed'
                    ? t('health.jobs.failed', { error: failure ?? '' })
                    : t(`health.jobs.${state}`)}
                </Tag>
              ),
            },
            {
              name: 'began',
              heading: t('health.jobs.began'),
              cell: ({ beganAt }) => formatDateTime(beganAt),
            },
            {
              name: 'took',
              heading: t('health.jobs.took'),
              isFigure: true,
              cell: ({ ms }) => t('health.ms', { count: ms }),
            },
            {
              name: 'done',
              heading: t('health.jobs.done'),
              cell: ({ doneAt }) => (doneAt ? formatDateTime(doneAt) : t('health.jobs.never')),
            },
            {
              name: 'instance',
              heading: t('health.jobs.instance'),
              cell: ({ instance }) => <code>{instance}</code>,
            },
          ]}
        />
      )}
    </PagePart>
  )
}
