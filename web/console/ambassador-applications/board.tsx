import { useMemo, type KeyboardEvent } from 'react'
import {
  ambassadorApplications,
  applicationWaitMax,
  readApplicationBoard,
  type ApplicationBoard,
  type ListedApplication,
} from '#contract/console-ambassadors.ts'
import { DAY } from '#contract/durations.ts'
import { NotLoaded } from '../../actions/not-loaded.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { navigate } from '../../navigation/navigate.ts'
import { Message } from '../../ui/form-status.tsx'
import { addressOf, fromStart, stateOf, type Addressed } from '../list/list-address.ts'
import type { ListFilters as Filters } from '../list/list-spec.ts'
import { ListFilters } from '../list/list-filters.tsx'
import { BoardColumn } from './board-column.tsx'
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
