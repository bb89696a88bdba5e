import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import {
  ambassadorApplications,
  applicationWaitMax,
  columnCountMax,
  columnSorts,
  listAmbassadorApplications,
  readApplicationBoard,
  type ApplicationBoard,
  type ListedApplication,
} from '#contract/people/console-ambassadors.ts'
import { DAY } from '#contract/platform/durations.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useAction } from '../../kernel/actions/use-action.ts'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call, callPage } from '../../kernel/call/call.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Hidden } from '../../kernel/layout/hidden.tsx'
import { navigate } from '../../kernel/navigation/navigate.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { FormStatus, Message } from '../../kernel/ui/form-status.tsx'
import { addressOf, fromStart, stateOf, type Addressed } from '../list/list-address.ts'
import { useListPlace } from '../list-place.ts'
import type { ListFilters as Filters } from '../list/list-spec.ts'
import { ListFilters } from '../list/list-filters.tsx'
import { DuplicateTag, LanguageName, WaitTags } from './application-tags.tsx'
import styles from './board.module.css'

/** One column per status, filtered by the query in the address. */
export function Board({ filters, search }: { filters: Filters; search: URLSearchParams }) {
  const { t } = useMessages()
  const addressed = useMemo<Addressed>(
    () => ({ resource: ambassadorApplications, route: 'console.ambassadors', filters, columns: [] }),
    [filters],
  )
  const state = useMemo(() => stateOf(addressed, search), [addressed, search])
  const key = addressOf(addressed, state)
  const loaded = useLoaded<ApplicationBoard & { key: string }>(key, async () => ({
    ...(await call(readApplicationBoard, { query: state.filters })),
    key,
  }))
  const shown = loaded.state === 'ready' && loaded.data.key === key ? loaded.data.columns : undefined
  useListPlace(
    ambassadorApplications,
    key,
    shown?.flatMap(({ rows }) => rows.map(({ id }) => id)),
  )
  const narrow = (values: Readonly<Record<string, string>>, isTyping = false) =>
    void navigate(addressOf(addressed, fromStart(state, { filters: values })), {
      inPlace: true,
      replace: isTyping,
    })
  return (
    <>
      <ListFilters
        endpoint={readApplicationBoard}
        filters={filters}
        values={state.filters}
        onChange={narrow}
      />
      {loaded.state !== 'ready' && <NotLoaded of={loaded} title={t('console.list.failed')} />}
      {loaded.state === 'ready' && loaded.data.columns.some(({ rows }) => rows.some(isLate)) && (
        <div className={styles.reminder}>
          <Message kind="note">
            <p>{t('consoleAmbassadors.reminder', { days: applicationWaitMax / DAY })}</p>
          </Message>
        </div>
      )}
      {loaded.state === 'ready' && (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the links of the cards have the focus
        <div className={styles.board} aria-busy={loaded.data.key !== key || undefined} onKeyDown={stepCards}>
          {loaded.data.columns.map((column) => (
            <BoardColumn
              key={`${column.status} ${loaded.data.key}`}
              column={column}
              filters={state.filters}
            />
          ))}
        </div>
      )}
    </>
  )
}

const isLate = ({ waitsLong }: ListedApplication): boolean => waitsLong

const steps: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
}

/** Arrow keys move from card to card, and sideways to the nearest card of the next column that has any. */
function stepCards(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key]
  if (!step || !(event.target instanceof HTMLAnchorElement)) return
  const columns = [...event.currentTarget.children].map((column) => [
    ...column.querySelectorAll<HTMLElement>('li > a'),
  ])
  const from = columns.findIndex((cards) => cards.includes(event.target as HTMLElement))
  const row = columns[from]?.indexOf(event.target) ?? -1
  if (row < 0) return
  const [right, down] = step
  let beside = from + right
  while (right !== 0 && columns[beside]?.length === 0) beside += right
  const cards = columns[beside]
  const next = cards?.[right === 0 ? row + down : Math.min(row, cards.length - 1)]
  if (!next) return
  event.preventDefault()
  next.focus()
}

type Column = ApplicationBoard['columns'][number]

const limit = 20

/** One status: its count, its first applications, and the rest on demand. */
function BoardColumn({
  column: { status, count, rows, next },
  filters,
}: {
  column: Column
  filters: Readonly<Record<string, string>>
}) {
  const { t, formatNumber } = useMessages()
  const id = useId()
  const cards = useRef<HTMLUListElement>(null)
  const [more, setMore] = useState<{ rows: readonly ListedApplication[]; next: string | undefined }>({
    rows: [],
    next: next ?? undefined,
  })
  const { isBusy, error, run } = useAction()
  const visibleCards = [...rows, ...more.rows]
  /** The button can disappear, so the focus moves to the first new card. */
  const [firstNew, setFirstNew] = useState(-1)
  useEffect(() => {
    if (firstNew >= 0) cards.current?.querySelectorAll<HTMLElement>('li > a')[firstNew]?.focus()
  }, [firstNew])
  const readOn = () =>
    run(async () => {
      const query = { ...filters, status, sort: columnSorts[status], limit, after: more.next }
      const page = await callPage(listAmbassadorApplications, { query })
      setMore({ rows: [...more.rows, ...page.rows], next: page.next })
      setFirstNew(page.rows.length > 0 ? visibleCards.length : -1)
    })
  const isMany = count > columnCountMax
  return (
    <section className={styles.column} aria-labelledby={id}>
      <h2 id={id}>
        {t(`consoleAmbassadors.state.${status}`)}{' '}
        <span className={styles.count}>
          {isMany
            ? t('consoleAmbassadors.countMore', { count: formatNumber(columnCountMax) })
            : formatNumber(count)}
        </span>
      </h2>
      {visibleCards.length === 0 ? (
        <p className={styles.none}>{t(`consoleAmbassadors.none.${status}`)}</p>
      ) : (
        <ul ref={cards} className={styles.cards}>
          {visibleCards.map((application) => (
            <Card key={application.id} application={application} />
          ))}
        </ul>
      )}
      {more.next !== undefined && (
        <Button kind="quiet" busy={isBusy} onClick={() => void readOn()}>
          {t('consoleAmbassadors.more')}
        </Button>
      )}
      <FormStatus error={error} />
    </section>
  )
}

function Card({ application }: { application: ListedApplication }) {
  const { t, formatDate } = useMessages()
  const { id, fullName, city, country, language, status, stateAt, createdAt, assignee } = application
  const { sentAgainAt, ambassadorId } = application
  const isOpen = status === 'received' || status === 'in_review'
  const at = isOpen ? createdAt : stateAt
  return (
    <li>
      <a href={pathTo('console.ambassadorApplication', { id })}>{fullName}</a>
      <span className={styles.tags}>
        <DuplicateTag application={application} />
        <WaitTags application={application} />
      </span>
      <p>
        {t('consoleAmbassadors.place', { city, country })} · <LanguageName language={language} />
      </p>
      <p>
        <time dateTime={at}>
          {isOpen && sentAgainAt
            ? t('consoleAmbassadors.card.sentAgain', { date: formatDate(at), again: formatDate(sentAgainAt) })
            : t(isOpen ? 'consoleAmbassadors.card.sent' : 'consoleAmbassadors.card.decided', {
                date: formatDate(at),
              })}
        </time>
        {isOpen && assignee && ` · ${assignee.name ?? t('console.formerColleague')}`}
      </p>
      {ambassadorId && (
        <p className={styles.onward}>
          <a href={pathTo('console.ambassadorProfile', { id: ambassadorId })}>
            {t('consoleAmbassadors.ambassador')}
            <Hidden> {fullName}</Hidden>
          </a>
        </p>
      )}
    </li>
  )
}
