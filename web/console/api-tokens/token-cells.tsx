import { apiTokenPrefix, type ApiToken } from '#contract/api-tokens.ts'
import { useWords } from '../../i18n/words.tsx'
import { Facts, type Fact } from '../../ui/facts.tsx'
import { Tag } from '../../ui/tag.tsx'
import { ListTime } from '../list/list-time.tsx'
import styles from './api-tokens.module.css'
import { isSuspected, levelTexts, refusalReasons, stateWords } from './token-words.ts'

type Props = { token: ApiToken }

export function TokenName({ token }: Props) {
  const { name, purpose, end } = token
  return (
    <div className={styles.name}>
      <strong>{name}</strong>
      <code className={styles.end}>
        {apiTokenPrefix}…{end}
      </code>
      {purpose && <p className={styles.purpose}>{purpose}</p>}
      <TokenDetails token={token} />
    </div>
  )
}

export function TokenState({ token }: Props) {
  const { t } = useWords()
  const { words, colour } = stateWords[token.state]
  return (
    <div className={styles.tags}>
      <Tag colour={colour}>{t(words)}</Tag>
      {/* Perhaps somebody else has it. */}
      {isSuspected(token) && <Tag colour="red">{t('tokens.elsewhere')}</Tag>}
    </div>
  )
}

export function TokenLevels({ token }: Props) {
  const { t } = useWords()
  const counting = levelTexts(t, token.counting)
  const isLess = levelTexts(t, token.levels).length > counting.length || isLower(token)
  return (
    <div className={styles.levels}>
      {levelTexts(t, token.levels).map((text) => (
        <span key={text}>{text}</span>
      ))}
      {token.isReadOnly && <span className={styles.quiet}>{t('tokens.readOnly')}</span>}
      {isLess && (
        <span className={styles.less}>
          {counting.length > 0
            ? t('tokens.counting', { levels: counting.join(t('tokens.separator')) })
            : t('tokens.counting.none')}
        </span>
      )}
    </div>
  )
}

const isLower = ({ levels, counting }: ApiToken): boolean =>
  (Object.keys(levels) as (keyof typeof levels)[]).some((level) => counting[level] < levels[level])

/** Of the secret of now. While the one before works beside it, that a program still has that. */
export function LastUse({ token: { lastUsed, rotatedAt, overlapUntil, formerUsedAt } }: Props) {
  const { t } = useWords()
  const isFormerShown = overlapUntil !== null && formerUsedAt !== null
  if (!lastUsed && !rotatedAt) return t('tokens.unused')
  return (
    <div className={styles.lastUse}>
      {lastUsed ? (
        <>
          <ListTime at={lastUsed.at} />
          <code>{lastUsed.place}</code>
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

function TokenDetails({ token }: Props) {
  const { t, formatDateTime } = useWords()
  const { addresses, lastRefused, revoked, rotatedAt, overlapUntil } = token
  const facts: Fact[] = [
    {
      name: 'addresses',
      label: t('tokens.addresses'),
      value: addresses.length > 0 ? addresses.join(t('tokens.separator')) : t('tokens.addresses.any'),
    },
    ...(rotatedAt
      ? [
          {
            name: 'rotated',
            label: t('tokens.rotated'),
            value: overlapUntil
              ? t('tokens.rotated.overlap', {
                  time: formatDateTime(rotatedAt),
                  until: formatDateTime(overlapUntil),
                })
              : formatDateTime(rotatedAt),
          },
        ]
      : []),
    ...(lastRefused
      ? [
          {
            name: 'refused',
            label: t('tokens.refused'),
            value: (
              <>
                {t('tokens.refused.of', {
                  time: formatDateTime(lastRefused.at),
                  place: lastRefused.place,
                  why: t(refusalReasons[lastRefused.why]),
                })}
                {isSuspected(token) && <p>{t('tokens.elsewhere.help')}</p>}
              </>
            ),
          },
        ]
      : []),
    ...(revoked
      ? [
          {
            name: 'revoked',
            label: t('tokens.revoked'),
            value: t('tokens.revoked.of', {
              time: formatDateTime(revoked.at),
              name: revoked.by || t('tokens.somebody'),
              reason: revoked.reason,
            }),
          },
        ]
      : []),
  ]
  return (
    <details className={styles.details}>
      <summary aria-label={t('tokens.details.of', { name: token.name })}>{t('tokens.details')}</summary>
      <Facts facts={facts} />
    </details>
  )
}
