import {
  type HealthCheck,
  healthFacts,
  type HealthSetting,
  healthSettings,
} from '#contract/console/console-health.ts'
import type { Language } from '#contract/platform/fields.ts'
import { formatNumber } from '../../kernel/i18n/interpolate.ts'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { type UsedMessages, useMessages } from '../../kernel/i18n/messages.tsx'
import { Facts } from '../../kernel/ui/description-list.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import styles from './health.module.css'

const colours = { good: 'green', attention: 'yellow', down: 'red', unchecked: 'quiet' } as const

/** One check: its status, its problems with advice, and its details. */
export function HealthCheckCard({
  check: { name, state, problems, facts },
  headingLevel: Heading,
}: {
  check: HealthCheck
  headingLevel: 'h2' | 'h3'
}) {
  const messages = useMessages()
  const { t } = messages
  const id = `health-${name}`
  return (
    <article className={styles.check} aria-labelledby={id} data-state={state}>
      <header>
        <Heading id={id}>{t(`health.check.${name}`)}</Heading>
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
