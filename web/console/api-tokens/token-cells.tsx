import { apiTokenPrefix, type ApiToken, type TokenState as State } from '#contract/api-tokens.ts'
import { levels, type Level } from '#contract/endpoint.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Tag, type TagColor } from '../../ui/tag.tsx'
import { LabeledFacts } from '../detail/labeled-facts.tsx'
import { ListTime } from '../list/list-time.tsx'
import styles from './api-tokens.module.css'

const statusColors: Readonly<Record<State, TagColor>> = {
  active: 'green',
  ending: 'yellow',
  expired: 'quiet',
  revoked: 'red',
  dead: 'quiet',
}

/**
 * A caller used the secret from an address that is not on its list, so the secret may have leaked. Replacing the secret
 * or revoking the token resolves this.
 */
const isSuspected = ({ lastRefused, rotatedAt, createdAt, revoked }: ApiToken): boolean =>
  lastRefused?.why === 'address' && revoked === null && lastRefused.at > (rotatedAt ?? createdAt)

type Props = { token: ApiToken }

export function TokenName({ token }: Props) {
  const { name, purpose, end } = token
  return (
    <div className={styles.name}>
      <strong>{name}</strong>
      <code className={styles.quiet}>
        {apiTokenPrefix}…{end}
      </code>
      {purpose && <p className={styles.quiet}>{purpose}</p>}
      <TokenDetails token={token} />
    </div>
  )
}

export function TokenState({ token }: Props) {
  const { t } = useMessages()
  return (
    <div className={styles.lines}>
      <Tag colour={statusColors[token.state]}>{t(`tokens.state.${token.state}`)}</Tag>
      {/* Someone else may have the secret. */}
      {isSuspected(token) && <Tag colour="red">{t('tokens.elsewhere')}</Tag>}
    </div>
  )
}

export function TokenLevels({ token: { levels: given, counting, isReadOnly } }: Props) {
  const { t } = useMessages()
  /** “News: read” for each level of the token. */
  const textsOf = (held: ApiToken['levels']): string[] =>
    levels.flatMap((level: Level) => {
      const value = held[level]
      if (value === 0) return []
      return [t('tokens.level.of', { level: t(`tokens.level.${level}`), value: t(`tokens.level.${value}`) })]
    })
  const effective = textsOf(counting)
  return (
    <div className={`${styles.lines} ${styles.levels}`}>
      {textsOf(given).map((text) => (
        <span key={text}>{text}</span>
      ))}
      {isReadOnly && <span className={styles.quiet}>{t('tokens.readOnly')}</span>}
      {levels.some((level) => counting[level] < given[level]) && (
        <span className={styles.less}>
          {effective.length > 0
            ? t('tokens.counting', { levels: effective.join(t('tokens.separator')) })
            : t('tokens.counting.none')}
        </span>
      )}
    </div>
  )
}

/**
 * The last use of the current secret and, while the previous one is still valid, whether a client still uses that one.
 */
export function LastUse({ token: { lastUsed, rotatedAt, overlapUntil, formerUsedAt } }: Props) {
  const { t } = useMessages()
  const isFormerShown = overlapUntil !== null && formerUsedAt !== null
  if (!lastUsed && !rotatedAt) return t('tokens.unused')
  return (
    <div className={styles.lines}>
      {lastUsed ? (
        <>
          <ListTime at={lastUsed.at} />
          <code className={styles.quiet}>{lastUsed.place}</code>
        </>
      ) : (
        t('tokens.unused.new')
      )}
      {isFormerShown && (
        <span className={styles.quiet}>
          {t('tokens.used.former')} <ListTime at={formerUsedAt} />
        </span>
      )}
    </div>
  )
}

/** A token that was revoked because its owner lost access has no reason. */
function Revoked({ at, by, reason }: NonNullable<ApiToken['revoked']>) {
  const { t, formatDateTime } = useMessages()
  const name = by || t('tokens.somebody')
  const time = formatDateTime(at)
  return reason === ''
    ? t('tokens.revoked.by', { time, name })
    : t('tokens.revoked.of', { time, name, reason })
}

function TokenDetails({ token }: Props) {
  const { t, formatDateTime } = useMessages()
  const { addresses, lastRefused, revoked, rotatedAt, overlapUntil } = token
  const at = rotatedAt && formatDateTime(rotatedAt)
  const facts = {
    'tokens.addresses': addresses.join(t('tokens.separator')) || t('tokens.addresses.any'),
    'tokens.rotated':
      at && overlapUntil
        ? t('tokens.rotated.overlap', { time: at, until: formatDateTime(overlapUntil) })
        : at,
    'tokens.refused': lastRefused && (
      <>
        {t('tokens.refused.of', {
          time: formatDateTime(lastRefused.at),
          place: lastRefused.place,
          why: t(`tokens.refused.${lastRefused.why}`),
        })}
        {isSuspected(token) && <p>{t('tokens.elsewhere.help')}</p>}
      </>
    ),
    'tokens.revoked': revoked && <Revoked {...revoked} />,
  }
  return (
    <details className={styles.details}>
      <summary aria-label={t('tokens.details.of', { name: token.name })}>{t('tokens.details')}</summary>
      <LabeledFacts facts={facts} />
    </details>
  )
}
