import { readHealth } from '#contract/console-health.ts'
import type { OutputOf } from '#contract/endpoint.ts'
import { NotLoaded } from '../../actions/not-loaded.tsx'
import { useAction } from '../../actions/use-action.ts'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { page } from '../../routes/page.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { ChainWatchers } from './chain-watchers.tsx'
import { HealthCheckCard } from './health-check-card.tsx'
import { Instances } from './instances.tsx'
import { Jobs } from './jobs.tsx'
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
  const { t, formatMoment } = useMessages()
  const { isBusy, error, run } = useAction()
  const count = (state: 'attention' | 'down') => health.checks.filter((check) => check.state === state).length
  const [down, attention] = [count('down'), count('attention')]
  const all =
    down > 0
      ? t('health.all.down', { count: down })
      : attention > 0
        ? t('health.all.attention', { count: attention })
        : t('health.all.good')
  return (
    <>
      <div className={styles.head}>
        <p role="status">
          <strong>{all}</strong> {t('health.asked', { time: formatMoment(health.at) })}
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
      <div className={styles.checks}>
        {health.checks.map((check) => (
          <HealthCheckCard key={check.name} check={check} />
        ))}
      </div>
      <p>{t('health.outside')}</p>
      <ChainWatchers at={health.at} />
      <Jobs jobs={health.jobs} />
      <Instances instances={health.instances} />
    </>
  )
}

export default page({ View: HealthView })
