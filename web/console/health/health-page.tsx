import { type HealthState, readHealth } from '#contract/console/console-health.ts'
import type { OutputOf } from '#contract/platform/endpoint.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useAction } from '../../kernel/actions/use-action.ts'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { page } from '../../kernel/routes/page.ts'
import { useSession } from '../../kernel/session/session.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { Empty } from '../../kernel/ui/empty.tsx'
import { FormStatus } from '../../kernel/ui/form-status.tsx'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { Table } from '../../kernel/ui/table.tsx'
import { pathToSetup } from '../home/setup-address.ts'
import { ListTime } from '../list/list-time.tsx'
import { ChainWatchers } from './chain-watchers.tsx'
import { HealthCheckCard } from './health-check-card.tsx'
import { HealthGroup } from './health-group.tsx'
import { HealthJobs } from './health-jobs.tsx'
import { MaintenanceCard } from './maintenance-card.tsx'
import styles from './health.module.css'

/** Health of the application and its dependencies. Checks run only on request. */
function HealthView() {
  const { t } = useMessages()
  const { member } = useSession()
  return (
    <>
      <PageHead heading={t('health.heading')} lead={t('health.lead')} />
      {member && <Health />}
    </>
  )
}

function Health() {
  const { t } = useMessages()
  const loaded = useLoaded('health', () => call(readHealth, {}))
  if (loaded.state !== 'ready') return <NotLoaded of={loaded} title={t('health.failed')} />
  return <Found health={loaded.data} onFound={loaded.setData} />
}

type Found = OutputOf<typeof readHealth>

function Found({ health, onFound }: { health: Found; onFound: (health: Found) => void }) {
  const { t, language } = useMessages()
  const { isBusy, error, run } = useAction()
  const checksIn = (...states: HealthState[]) =>
    states.flatMap((state) => health.checks.filter((check) => check.state === state))
  const [down, attention] = [checksIn('down').length, checksIn('attention').length]
  const fine = checksIn('good', 'unchecked')
  const all =
    down > 0
      ? t('health.all.down', { count: down })
      : attention > 0
        ? t('health.all.attention', { count: attention })
        : t('health.all.good')
  const switching = (
    <MaintenanceCard
      maintenance={health.maintenance}
      onChanged={(maintenance) => onFound({ ...health, maintenance })}
    />
  )
  return (
    <>
      <div className={styles.head}>
        <p role="status">
          <strong>{all}</strong> {t('health.asked', { time: formatMoment(health.at, language) })}
        </p>
        <Button
          kind="quiet"
          busy={isBusy}
          onClick={() => void run(async () => onFound(await call(readHealth, {})))}
        >
          {t('health.again')}
        </Button>
      </div>
      <FormStatus error={error} />
      {health.maintenance && switching}
      <div className={styles.checks}>
        {checksIn('down', 'attention').map((check) => (
          <HealthCheckCard key={check.name} check={check} headingLevel="h2" />
        ))}
      </div>
      <ChainWatchers at={health.at} />
      <HealthJobs jobs={health.jobs} />
      {fine.length > 0 && (
        <HealthGroup heading={t('health.fine')} count={fine.length} isGood>
          <div className={styles.checks}>
            {fine.map((check) => (
              <HealthCheckCard key={check.name} check={check} headingLevel="h3" />
            ))}
          </div>
        </HealthGroup>
      )}
      <Instances instances={health.instances} />
      {!health.maintenance && switching}
      <p>{t('health.outside')}</p>
      <p>
        <a href={pathToSetup()}>{t('health.setup')}</a>
      </p>
    </>
  )
}

/** Processes of the application that share the database. */
function Instances({ instances }: { instances: OutputOf<typeof readHealth>['instances'] }) {
  const { t } = useMessages()
  return (
    <HealthGroup heading={t('health.instances')} count={instances.length} isGood>
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
              cell: ({ id, isThis }) => (
                <span className={styles.instance}>{isThis ? t('health.instances.this', { id }) : id}</span>
              ),
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
              cell: ({ startedAt }) => <ListTime at={startedAt} />,
            },
            {
              name: 'seen',
              heading: t('health.instances.seen'),
              cell: ({ seenAt }) => <ListTime at={seenAt} />,
            },
          ]}
        />
      )}
    </HealthGroup>
  )
}

export default page({ View: HealthView })
