import { type ChainError, type ChainWatcher, listChainMonitors } from '#contract/money/chain-payments.ts'
import {
  type HealthCheck,
  healthFacts,
  type HealthJob,
  type HealthSetting,
  healthSettings,
  readHealth,
} from '#contract/console/console-health.ts'
import type { OutputOf } from '#contract/platform/endpoint.ts'
import type { Language } from '#contract/platform/fields.ts'
import { type JobName, jobNames } from '#contract/platform/job-names.ts'
import { LoadFailed } from '../../kernel/actions/load-failed.tsx'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useAction } from '../../kernel/actions/use-action.ts'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { formatNumber } from '../../kernel/i18n/interpolate.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { type UsedMessages, useMessages } from '../../kernel/i18n/messages.tsx'
import { page } from '../../kernel/routes/page.ts'
import { useSession } from '../../kernel/session/session.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { Facts } from '../../kernel/ui/description-list.tsx'
import { Empty } from '../../kernel/ui/empty.tsx'
import { FormStatus } from '../../kernel/ui/form-status.tsx'
import { PageHead, PagePart } from '../../kernel/ui/page-head.tsx'
import { Table } from '../../kernel/ui/table.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import { pathToSetup } from '../home/setup-address.ts'
import { LabeledFacts, type LabeledValues } from '../detail/labeled-facts.tsx'
import { ListTime } from '../list/list-time.tsx'
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
      <div className={styles.checks}>
        {health.checks.map((check) => (
          <HealthCheckCard key={check.name} check={check} />
        ))}
      </div>
      <p>{t('health.outside')}</p>
      <p>
        <a href={pathToSetup()}>{t('health.setup')}</a>
      </p>
      <ChainWatchers at={health.at} />
      <Jobs jobs={health.jobs} />
      <Instances instances={health.instances} />
    </>
  )
}

/** The nodes that are polled for payments. Empty if no chain is monitored. `at` is the time of the other checks. */
export function ChainWatchers({ at }: { at: string }) {
  const { t } = useMessages()
  const loaded = useLoaded(at, () => call(listChainMonitors, {}))
  if (loaded.state === 'loading') return null
  if (loaded.state === 'failed')
    return <LoadFailed title={t('health.chain.failed')} failure={loaded.failure} retry={loaded.retry} />
  if (loaded.data.watchers.length === 0) return null
  return (
    <PagePart id="health-chain-heading" heading={t('health.chain')} lead={t('health.chain.lead')}>
      <div className={styles.checks}>
        {loaded.data.watchers.map((watcher) => (
          <Watcher key={watcher.coin} watcher={watcher} />
        ))}
      </div>
    </PagePart>
  )
}

const tags = {
  good: { colour: 'green', words: 'health.state.good' },
  attention: { colour: 'yellow', words: 'health.state.attention' },
  down: { colour: 'red', words: 'health.state.down' },
} as const

const watcherWays: Readonly<Record<ChainWatcher['way'], PlainKey>> = {
  bitcoin_rpc: 'health.chain.way.bitcoinRpc',
  electrum: 'health.chain.way.electrum',
  ethereum_rpc: 'health.chain.way.ethereumRpc',
}

export const watcherErrors: Readonly<Record<ChainError, PlainKey>> = {
  unreachable: 'health.chain.error.unreachable',
  refused: 'health.chain.error.refused',
  too_slow: 'health.chain.error.tooSlow',
  too_large: 'health.chain.error.tooLarge',
  not_understood: 'health.chain.error.notUnderstood',
  wrong_network: 'health.chain.error.wrongNetwork',
  not_synced: 'health.chain.error.notSynced',
  behind: 'health.chain.error.behind',
  stalled: 'health.chain.error.stalled',
  failed: 'health.chain.error.failed',
}

const standingOf = ({ isStale, reached, error }: ChainWatcher): keyof typeof tags => {
  if (isStale) return 'down'
  return reached && error === null ? 'good' : 'attention'
}

function Watcher({ watcher }: { watcher: ChainWatcher }) {
  const { t, language, formatNumber } = useMessages()
  const { coin, network, way, error, height, lag, lastLookedAt, firstAddress } = watcher
  const { colour, words } = tags[standingOf(watcher)]
  const id = `health-chain-${coin}`
  const facts: LabeledValues = {
    'health.chain.network': network,
    'health.chain.way': t(watcherWays[way]),
    'health.chain.looked':
      lastLookedAt === null ? t('health.chain.never') : formatMoment(lastLookedAt, language),
    'health.chain.height': height !== null && formatNumber(height),
    'health.chain.lag': lag !== null && formatNumber(lag),
    'health.chain.confirmations': formatNumber(watcher.confirmationsNeeded),
    'health.chain.addresses': watcher.hasOwnAddresses
      ? t('health.chain.addresses.own', { count: watcher.addressesGiven })
      : t('health.chain.addresses.shared'),
    'health.chain.first': firstAddress !== null && <code>{firstAddress}</code>,
    'health.chain.completes': t(
      watcher.completes ? 'health.chain.completes.program' : 'health.chain.completes.finance',
    ),
  }
  return (
    <article className={styles.check} aria-labelledby={id}>
      <header>
        <h3 id={id}>{coin}</h3>
        <Tag colour={colour}>{t(words)}</Tag>
      </header>
      {error !== null && (
        <ul className={styles.problems}>
          <li>
            <p>{t(watcherErrors[error])}</p>
            <p className={styles.advice}>{t('health.chain.advice', { setting: `CHAIN_${coin}_URL` })}</p>
          </li>
        </ul>
      )}
      <LabeledFacts facts={facts} />
    </article>
  )
}

const colours = { good: 'green', attention: 'yellow', down: 'red', unchecked: 'quiet' } as const

/** One check: its status, its problems with advice, and its details. */
function HealthCheckCard({ check: { name, state, problems, facts } }: { check: HealthCheck }) {
  const messages = useMessages()
  const { t } = messages
  const id = `health-${name}`
  return (
    <article className={styles.check} aria-labelledby={id} data-state={state}>
      <header>
        <h2 id={id}>{t(`health.check.${name}`)}</h2>
        <Tag colour={colours[state]}>{t(`health.state.${state}`)}</Tag>
      </header>
      {problems.length > 0 && (
        <ul className={styles.problems}>
          {problems.map((problem) => (
            <li key={problem}>
              <p>{t(`health.problem.${problem}`)}</p>
              <p className={styles.advice}>{t(`health.advice.${problem}`)}</p>
            </li>
          ))}
        </ul>
      )}
      <Facts
        facts={facts.map((fact) => ({
          name: fact.name,
          label: t(`health.fact.${fact.name}`),
          value: valueOf(messages, fact),
        }))}
      />
    </article>
  )
}

function valueOf(
  { t, language, formatNumber }: UsedMessages,
  { name, value }: HealthCheck['facts'][number],
): string {
  const kind = healthFacts[name]
  if (kind === 'time') return formatMoment(value, language)
  if (kind === 'bytes') return formatBytes(Number(value), language)
  if (kind === 'ms') return t('health.ms', { count: Number(value) })
  if (kind === 'count') return formatNumber(Number(value))
  return kind === 'setting' && isSetting(value) ? t(`health.setting.${value}`) : value
}

const isSetting = (value: string): value is HealthSetting =>
  (healthSettings as readonly string[]).includes(value)

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** Formats a size in the largest unit with a value of at least 1, with up to three digits. */
export function formatBytes(bytes: number, language: Language): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const amount = bytes / 1024 ** power
  const digits = power === 0 || amount >= 100 ? 0 : 1
  return `${formatNumber(Number(amount.toFixed(digits)), language)} ${units[power]}`
}

const jobColours = { good: 'green', failed: 'red', late: 'yellow' } as const

/** The last run of every background job, failures first. */
function Jobs({ jobs }: { jobs: readonly HealthJob[] }) {
  const { t } = useMessages()
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
      )}
    </PagePart>
  )
}

/** Processes of the application that share the database. */
function Instances({ instances }: { instances: OutputOf<typeof readHealth>['instances'] }) {
  const { t } = useMessages()
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
    </PagePart>
  )
}

export default page({ View: HealthView })
