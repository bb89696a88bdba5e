import type { HealthJob } from '#contract/console/console-health.ts'
import { jobAreas, type JobArea, type JobName, jobNames, jobNamesOf } from '#contract/platform/job-names.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { consoleAreas } from '../../kernel/routes/console-areas.ts'
import { Empty } from '../../kernel/ui/empty.tsx'
import { Table } from '../../kernel/ui/table.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import { ListTime } from '../list/list-time.tsx'
import { HealthGroup } from './health-group.tsx'
import styles from './health.module.css'

const isNamed = (name: string): name is JobName => (jobNames as readonly string[]).includes(name)

const isIn = (area: JobArea, { name }: HealthJob): boolean =>
  (jobNamesOf[area] as readonly string[]).includes(name)

const isGood = ({ state }: HealthJob): boolean => state === 'good'

/** Jobs of one area, or of another release, which are not in any. */
type Group = { area: JobArea | undefined; jobs: readonly HealthJob[] }

/** Failures come first, among the groups and in each of them. */
function groupsOf(jobs: readonly HealthJob[]): Group[] {
  const failuresFirst = jobs.toSorted((a, b) => Number(isGood(a)) - Number(isGood(b)))
  return [...jobAreas, undefined]
    .map((area) => ({
      area,
      jobs: failuresFirst.filter((job) => (area ? isIn(area, job) : !isNamed(job.name))),
    }))
    .filter(({ jobs }) => jobs.length > 0)
    .toSorted((a, b) => Number(a.jobs.every(isGood)) - Number(b.jobs.every(isGood)))
}

/** The last run of every background job, by area. */
export function HealthJobs({ jobs }: { jobs: readonly HealthJob[] }) {
  const { t } = useMessages()
  return (
    <HealthGroup heading={t('health.jobs')} count={jobs.length} isGood={jobs.every(isGood)}>
      <p className={styles.lead}>{t('health.jobs.lead')}</p>
      {jobs.length === 0 && <Empty title={t('health.jobs.none')} />}
      {groupsOf(jobs).map(({ area, jobs }) => {
        const name = t(area ? consoleAreas[area] : 'health.jobs.other')
        return (
          <HealthGroup
            key={area ?? 'other'}
            heading={name}
            headingLevel="h3"
            count={jobs.length}
            isGood={jobs.every(isGood)}
          >
            <JobTable caption={t('health.jobs.of', { area: name })} jobs={jobs} />
          </HealthGroup>
        )
      })}
    </HealthGroup>
  )
}

const jobColours = { good: 'green', failed: 'red', late: 'yellow' } as const

function JobTable({ caption, jobs }: { caption: string; jobs: readonly HealthJob[] }) {
  const { t } = useMessages()
  return (
    <Table
      caption={caption}
      rows={jobs}
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
            <Tag colour={jobColours[state]}>
              {state === 'failed'
                ? t('health.jobs.failed', { error: failure ?? '' })
                : t(`health.jobs.${state}`)}
            </Tag>
          ),
        },
        {
          name: 'began',
          heading: t('health.jobs.began'),
          cell: ({ beganAt }) => <ListTime at={beganAt} />,
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
          cell: ({ doneAt }) => (doneAt ? <ListTime at={doneAt} /> : t('health.jobs.never')),
        },
        {
          name: 'instance',
          heading: t('health.jobs.instance'),
          cell: ({ instance }) => <code className={styles.instance}>{instance}</code>,
        },
      ]}
    />
  )
}
