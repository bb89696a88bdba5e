import { useState } from 'react'
import {
  type ApiToken,
  apiTokenPrefix,
  apiTokens,
  revokeApiToken,
  rotateApiToken,
  tokenOverlapHours,
  type TokenState as State,
  tokenStates,
} from '#contract/people/api-tokens.ts'
import { type Level, levels } from '#contract/platform/endpoint.ts'
import { call } from '../../kernel/call/call.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { page, type PageProps } from '../../kernel/routes/page.ts'
import { useSession } from '../../kernel/session/session.ts'
import { Address } from '../../kernel/ui/address.tsx'
import { Button, TextButton } from '../../kernel/ui/button.tsx'
import { Select } from '../../kernel/ui/field.tsx'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { Tag, type TagColor } from '../../kernel/ui/tag.tsx'
import { LabeledFacts } from '../detail/labeled-facts.tsx'
import { ReasonDialog } from '../detail/reason-dialog.tsx'
import { ConsoleList } from '../list/console-list.tsx'
import { useActionDialog } from '../use-asked-action.ts'
import type { ListColumn, ListFilter, ListSpec } from '../list/list-spec.ts'
import { ListTime } from '../list/list-time.tsx'
import styles from './api-tokens.module.css'
import { MakeTokenDialog } from './make-token-dialog.tsx'
import { TokenSecret } from './token-secret.tsx'

const owner: ListColumn<ApiToken, never> = {
  name: 'maker',
  heading: 'tokens.maker',
  isAddress: true,
  cell: ({ maker }) => <Address email={maker.name} />,
}
const whose: ListFilter = {
  label: 'tokens.whose',
  kind: 'choice',
  options: [
    { value: 'mine', label: 'tokens.whose.mine' },
    { value: 'others', label: 'tokens.whose.others' },
  ],
}

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

function TokenName({ token }: Props) {
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

function TokenState({ token }: Props) {
  const { t } = useMessages()
  return (
    <div className={styles.lines}>
      <Tag colour={statusColors[token.state]}>{t(`tokens.state.${token.state}`)}</Tag>
      {/* Someone else may have the secret. */}
      {isSuspected(token) && <Tag colour="red">{t('tokens.elsewhere')}</Tag>}
    </div>
  )
}

function TokenLevels({ token: { levels: given, counting, isReadOnly } }: Props) {
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
function LastUse({ token: { lastUsed, rotatedAt, overlapUntil, formerUsedAt } }: Props) {
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

/** Administrators see everyone's tokens with their owners. */
const tokenList = (seesOthers: boolean): ListSpec<typeof apiTokens> => ({
  resource: apiTokens,
  route: 'console.apiTokens',
  caption: 'console.nav.apiTokens',
  nameOf: ({ name }) => name,
  none: { title: 'tokens.none', help: 'tokens.none.help' },
  columns: [
    { name: 'name', heading: 'tokens.name', isWide: true, cell: (token) => <TokenName token={token} /> },
    ...(seesOthers ? [owner] : []),
    { name: 'state', heading: 'tokens.state', cell: (token) => <TokenState token={token} /> },
    { name: 'levels', heading: 'tokens.levels', cell: (token) => <TokenLevels token={token} /> },
    {
      name: 'expires',
      heading: 'tokens.expires',
      sort: 'expires',
      cell: ({ expiresAt }) => <ListTime at={expiresAt} />,
    },
    { name: 'used', heading: 'tokens.used', cell: (token) => <LastUse token={token} /> },
    {
      name: 'created',
      heading: 'tokens.created',
      sort: 'created',
      isExtra: true,
      cell: ({ createdAt }) => <ListTime at={createdAt} />,
    },
  ],
  filters: {
    q: { label: seesOthers ? 'tokens.search.all' : 'tokens.search', kind: 'search' },
    state: {
      label: 'tokens.state',
      kind: 'choice',
      options: tokenStates.map((value) => ({ value, label: `tokens.state.${value}` })),
    },
    level: {
      label: 'tokens.level',
      kind: 'choice',
      options: levels.map((value) => ({ value, label: `tokens.level.${value}` })),
    },
    whose: seesOthers ? whose : null,
  },
})

const ownTokens = tokenList(false)
const allTokens = tokenList(true)

function ApiTokensView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  const [isMaking, setMaking] = useActionDialog('tokens.make')
  const [made, setMade] = useState<{ name: string; secret: string }>()
  const [shown, setShown] = useState(0)
  return (
    <>
      <PageHead
        heading={t('console.nav.apiTokens')}
        lead={t('tokens.lead')}
        action={member && <Button onClick={() => setMaking(true)}>{t('tokens.make')}</Button>}
      />
      {member && (
        <ConsoleList
          // A new token reloads the list.
          key={shown}
          spec={member.isWriteAccessAdmin ? allTokens : ownTokens}
          search={search}
          rowActions={(token, reload) => <TokenActions token={token} reload={reload} />}
        />
      )}
      {member && isMaking && (
        <MakeTokenDialog maker={member} onDone={setMade} onClose={() => setMaking(false)} />
      )}
      {made && (
        <TokenSecret
          title={t('tokens.made', { name: made.name })}
          secret={made.secret}
          onClose={() => {
            setMade(undefined)
            setShown(shown + 1)
          }}
        />
      )}
    </>
  )
}

type ActionProps = { token: ApiToken; reload: () => void }
type Rotated = { secret: string; isOldOver: boolean }

/** Only the owner can create a new secret; the owner and administrators can revoke the token. */
function TokenActions({ token, reload }: ActionProps) {
  const { t } = useMessages()
  const [openDialog, setOpenDialog] = useState<'rotate' | 'revoke'>()
  const [rotated, setRotated] = useState<Rotated>()
  const close = () => setOpenDialog(undefined)
  const { id, name, state, isOwn } = token
  if (state === 'revoked' || state === 'expired') return null
  return (
    <div className={styles.actions}>
      {isOwn && state !== 'dead' && (
        <TextButton aria-label={t('tokens.rotate.of', { name })} onClick={() => setOpenDialog('rotate')}>
          {t('tokens.rotate')}
        </TextButton>
      )}
      <TextButton aria-label={t('tokens.revoke.of', { name })} onClick={() => setOpenDialog('revoke')}>
        {t('tokens.revoke')}
      </TextButton>
      {openDialog === 'rotate' && <RotationDialog token={token} onRotated={setRotated} onClose={close} />}
      {rotated && (
        <TokenSecret
          title={t('tokens.rotate.made', { name })}
          secret={rotated.secret}
          note={t(rotated.isOldOver ? 'tokens.rotate.over' : 'tokens.rotate.overlapping')}
          onClose={() => {
            setRotated(undefined)
            reload()
          }}
        />
      )}
      {openDialog === 'revoke' && (
        <ReasonDialog
          title={t('tokens.revoke.title', { name })}
          label={t('tokens.revoke.go')}
          kind="danger"
          text={t('tokens.revoke.text')}
          reason={{
            label: t('tokens.revoke.reason'),
            help: t('tokens.revoke.reason.help'),
            schema: revokeApiToken.body.shape.reason,
          }}
          step={(reason) => call(revokeApiToken, { params: { id }, body: { reason } })}
          onDone={() => {
            showNotice(t('tokens.revoke.done', { name }), 'success')
            reload()
          }}
          onClose={close}
        />
      )}
    </div>
  )
}

type Hours = (typeof tokenOverlapHours)[number]
const newDays = [30, 90, 180] as const

type RotationProps = { token: ApiToken; onRotated: (rotated: Rotated) => void; onClose: () => void }

/** Creates a new secret, and sets how long the old one stays valid. */
function RotationDialog({ token, onRotated, onClose }: RotationProps) {
  const { t, formatDate } = useMessages()
  const [overlapHours, setOverlap] = useState<Hours>(24)
  const [days, setDays] = useState(0)
  const rotate = () =>
    call(rotateApiToken, { params: { id: token.id }, body: { overlapHours, ...(days > 0 && { days }) } })
  return (
    <ConfirmDialog
      title={t('tokens.rotate.title', { name: token.name })}
      label={t('tokens.rotate.go')}
      step={rotate}
      onDone={({ secret }) => onRotated({ secret, isOldOver: overlapHours === 0 })}
      onClose={onClose}
    >
      <p>{t('tokens.rotate.text')}</p>
      <Select
        label={t('tokens.overlap')}
        help={t('tokens.overlap.help')}
        value={overlapHours}
        onChange={({ target }) => setOverlap(Number(target.value) as Hours)}
      >
        {tokenOverlapHours.map((hours) => (
          <option key={hours} value={hours}>
            {t(`tokens.overlap.${hours}`)}
          </option>
        ))}
      </Select>
      <Select
        label={t('tokens.expires')}
        value={days}
        onChange={({ target }) => setDays(Number(target.value))}
      >
        <option value={0}>{t('tokens.rotate.keep', { date: formatDate(token.expiresAt) })}</option>
        {newDays.map((count) => (
          <option key={count} value={count}>
            {t('tokens.days.fromNow', { count })}
          </option>
        ))}
      </Select>
    </ConfirmDialog>
  )
}

export default page({ View: ApiTokensView })
