import { type Ref, useEffect, useRef, useState } from 'react'
import type { OutputOf } from '#contract/platform/endpoint.ts'
import { listKycCases, type readKycStatistics } from '#contract/people/kyc-review.ts'
import { failureMessage } from '../../../kernel/actions/failure-message.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { LoadFailed } from '../../../kernel/actions/load-failed.tsx'
import { boundsOf } from '../../../kernel/forms/field-bounds.ts'
import type { PlainKey } from '../../../kernel/i18n/message-key.ts'
import { SavedViews } from '../../../kernel/saved-views/saved-views.tsx'
import { navigate } from '../../../kernel/navigation/navigate.ts'
import { Button, ButtonLink } from '../../../kernel/ui/button.tsx'
import { Empty } from '../../../kernel/ui/empty.tsx'
import { Select, TextField } from '../../../kernel/ui/field.tsx'
import { FormStatus } from '../../../kernel/ui/form-status.tsx'
import { Loading } from '../../../kernel/ui/loading.tsx'
import { useKeys } from '../keys/use-keys.ts'
import {
  filterOf,
  pathToQueue,
  queueAges,
  type QueueFilter as Filter,
  queueOfficers,
  queueQuery,
  queueStates,
  wholeQueue,
} from '../review-address.ts'
import { QueueTable, rowLinkId } from './queue-table.tsx'
import styles from './queue.module.css'
import type { Queue } from './use-queue.ts'
import { ageLabel } from '../case-age.tsx'
import { KeyHint } from '../keys/key-hint.tsx'
import { reviewStates } from '../review-states.ts'

type Props = {
  filter: Filter
  queue: Queue
  statistics: OutputOf<typeof readKycStatistics> | undefined
  /** The case that the reviewer returns from. */
  leftCase: string | null
}

const changeFilter = (filter: Filter, isTyping = false): void =>
  void navigate(pathToQueue(filter), { inPlace: true, replace: isTyping })

/** The queue: counts, filter, and the cases, page by page. */
export function CaseQueue({ filter, queue, statistics, leftCase }: Props) {
  const search = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const link = leftCase === null ? null : document.getElementById(rowLinkId(leftCase))
    link?.focus()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- runs once, on returning
  }, [])
  const step = (by: 1 | -1) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('tbody a') ?? [])]
    const at = links.findIndex((link) => link === document.activeElement)
    links[at === -1 ? 0 : at + by]?.focus()
  }
  useKeys({ next: () => step(1), previous: () => step(-1), search: () => search.current?.focus() })
  return (
    <>
      {statistics && <QueueFigures statistics={statistics} />}
      <SavedViews
        list={{
          name: 'identity',
          path: pathToQueue(wholeQueue),
          shown: queueQuery(filter),
          read: (query) => queueQuery(filterOf(query)),
        }}
      >
        {(save) => (
          <>
            <QueueFilter filter={filter} onChange={changeFilter} searchRef={search} />
            {save}
          </>
        )}
      </SavedViews>
      <div ref={list} className={styles.list} aria-busy={queue.isStale || undefined}>
        <Listed filter={filter} queue={queue} usualHours={statistics?.usualHours ?? null} />
      </div>
    </>
  )
}

function Listed({ filter, queue, usualHours }: { filter: Filter; queue: Queue; usualHours: number | null }) {
  const { t } = useMessages()
  const { loaded, cases, hasMore, isLoadingMore, moreFailed, loadMore } = queue
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return <LoadFailed title={t('review.loadFailed')} failure={loaded.failure} retry={loaded.retry} />
  if (cases.length === 0) return <NoCase filter={filter} />
  return (
    <>
      <QueueTable cases={cases} filter={filter} usualHours={usualHours} />
      <div className={styles.more}>
        <p role="status">{t(hasMore ? 'review.shown' : 'review.shown.all', { count: cases.length })}</p>
        {hasMore && (
          <Button kind="quiet" busy={isLoadingMore} onClick={() => void loadMore()}>
            {t('review.loadMore')}
          </Button>
        )}
      </div>
      <FormStatus error={moreFailed === undefined ? undefined : failureMessage(t, moreFailed)} />
    </>
  )
}

function NoCase({ filter }: { filter: Filter }) {
  const { t } = useMessages()
  if (pathToQueue(filter) === pathToQueue(wholeQueue))
    return (
      <Empty title={t('review.none.waiting')}>
        <p>{t('review.none.waiting.help')}</p>
      </Empty>
    )
  return (
    <Empty title={t('review.none')} role="status">
      <p>{t(filter.flag === '' ? 'review.none.help' : 'review.none.match')}</p>
      <ButtonLink kind="quiet" href={pathToQueue(wholeQueue)}>
        {t('review.clear')}
      </ButtonLink>
    </Empty>
  )
}

type Statistics = OutputOf<typeof readKycStatistics>

/** Number and age of waiting cases, and recent decisions. */
function QueueFigures({ statistics }: { statistics: Statistics }) {
  const { t, formatNumber } = useMessages()
  const { waiting, oldestHours, decided, medianHours, usualHours } = statistics
  const age = (hours: number | null) => (hours === null ? '–' : ageLabel(t, hours))
  const figures = [
    {
      name: 'waiting',
      label: t('review.figures.waiting'),
      figure: formatNumber(waiting.submitted + waiting.in_review),
      more: t('review.figures.waiting.parts', { submitted: waiting.submitted, inReview: waiting.in_review }),
    },
    {
      name: 'oldest',
      label: t('review.figures.oldest'),
      figure: age(oldestHours),
      more: t('review.figures.more', { count: waiting.more_info }),
    },
    {
      name: 'decided',
      label: t('review.figures.decided'),
      figure: formatNumber(decided.approved + decided.rejected),
      more: t('review.figures.decided.parts', { approved: decided.approved, rejected: decided.rejected }),
    },
    {
      name: 'median',
      label: t('review.figures.median'),
      figure: age(medianHours),
      more: usualHours === null ? '' : t('review.figures.usual', { age: ageLabel(t, usualHours) }),
    },
  ]
  return (
    <dl className={styles.figures} aria-label={t('review.figures')}>
      {figures.map(({ name, label, figure, more }) => (
        <div key={name}>
          <dt>{label}</dt>
          <dd>
            <strong>{figure}</strong>
            {more && <span>{more}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

type FilterProps = {
  filter: Filter
  /** `isTyping`: the change is one of several keystrokes of a search, which share one history entry. */
  onChange: (filter: Filter, isTyping?: boolean) => void
  searchRef: Ref<HTMLInputElement>
}

const statusLabels: Readonly<Record<Filter['status'], PlainKey>> = {
  waiting: 'review.status.waiting',
  any: 'review.status.any',
  submitted: reviewStates.submitted.words,
  in_review: reviewStates.in_review.words,
  approved: reviewStates.approved.words,
  rejected: reviewStates.rejected.words,
  more_info: reviewStates.more_info.words,
  expired: reviewStates.expired.words,
  withdrawn: reviewStates.withdrawn.words,
}
const officerWords: Readonly<Record<Filter['assignee'], PlainKey>> = {
  '': 'review.assignee.any',
  me: 'review.assignee.me',
  nobody: 'review.assignee.nobody',
  available: 'review.assignee.available',
}
/** Delay of the search after the last keystroke, in milliseconds. */
const pause = 300

export function QueueFilter({ filter, onChange, searchRef }: FilterProps) {
  const { t } = useMessages()
  const [q, setQ] = useState(filter.q)
  // Back and forward change the address and therefore the field.
  useEffect(() => setQ(filter.q), [filter.q])
  useEffect(() => {
    if (q.trim() === filter.q) return undefined
    const timer = setTimeout(() => onChange({ ...filter, q: q.trim() }, true), pause)
    return () => clearTimeout(timer)
  }, [q, filter, onChange])
  return (
    <div className={styles.filter} role="search" aria-label={t('review.filter')}>
      <Select
        label={t('review.status')}
        value={filter.status}
        onChange={({ target }) => onChange({ ...filter, status: target.value as Filter['status'] })}
      >
        {queueStates.map((state) => (
          <option key={state} value={state}>
            {t(statusLabels[state])}
          </option>
        ))}
      </Select>
      <Select
        label={t('review.assignee')}
        value={filter.assignee}
        onChange={({ target }) => onChange({ ...filter, assignee: target.value as Filter['assignee'] })}
      >
        {(['', ...queueOfficers] as const).map((officer) => (
          <option key={officer} value={officer}>
            {t(officerWords[officer])}
          </option>
        ))}
      </Select>
      <Select
        label={t('review.flags')}
        value={filter.flag}
        onChange={({ target }) => onChange({ ...filter, flag: target.value as Filter['flag'] })}
      >
        <option value="">{t('review.flags.any')}</option>
        <option value="possible_match">{t('review.flags.match')}</option>
        <option value="refused_before">{t('review.flags.refused')}</option>
        <option value="answered">{t('review.flags.answered')}</option>
        <option value="second_person">{t('review.flags.final')}</option>
      </Select>
      <Select
        label={t('review.older')}
        value={filter.olderThanHours}
        onChange={({ target }) =>
          onChange({ ...filter, olderThanHours: Number(target.value) as Filter['olderThanHours'] })
        }
      >
        <option value={0}>{t('review.older.any')}</option>
        {queueAges.map((hours) => (
          <option key={hours} value={hours}>
            {t('review.older.than', { age: ageLabel(t, hours) })}
          </option>
        ))}
      </Select>
      <TextField
        ref={searchRef}
        label={
          <>
            {t('review.search')} <KeyHint of="search" />
          </>
        }
        type="search"
        placeholder={t('review.search.help')}
        autoComplete="off"
        maxLength={boundsOf(listKycCases.query.shape.q).maxLength}
        value={q}
        onChange={({ target }) => setQ(target.value)}
      />
    </div>
  )
}
