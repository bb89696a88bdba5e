import { useEffect, useId, useRef, useState } from 'react'
import {
  columnCountMax,
  columnSorts,
  listAmbassadorApplications,
  type ApplicationBoard,
  type ListedApplication,
} from '#contract/console-ambassadors.ts'
import { useAction } from '../../actions/use-action.ts'
import { callPage } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Hidden } from '../../layout/hidden.tsx'
import { pathTo } from '../../routes/routes.ts'
import { Button } from '../../ui/button.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import { DuplicateTag, LanguageName } from './application-list.tsx'
import styles from './board.module.css'
import { WaitTags } from './wait-tags.tsx'

type Column = ApplicationBoard['columns'][number]

const limit = 20

/** One status: its count, its first applications, and the rest on demand. */
export function BoardColumn({
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
