import { useId, useState } from 'react'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { CountBadge } from '../../kernel/layout/count-badge.tsx'
import { type ConsoleArea, consoleAreas } from '../../kernel/routes/console-areas.ts'
import { getRoute, labelOf, pathTo, type Route, type RouteName } from '../../kernel/routes/routes.ts'
import { useSession } from '../../kernel/session/session.ts'
import { mayOpen } from '../can-access.ts'
import { useWaitingCounts, type WaitingCounts } from '../home/waiting.ts'
import { screenGroups } from '../screen-groups.ts'
import styles from './console-navigation.module.css'

/**
 * The areas of the console with the pages that the levels allow. The area of the current page is open, and so is the
 * one that the reader opened last. Empty on the server and until the session is known.
 */
export function ConsoleNavigation({ route }: { route: Route }) {
  const { t } = useMessages()
  const { member } = useSession()
  const counts = useWaitingCounts()
  const current = currentPage(route)
  const [toggled, setToggled] = useState<{ area: ConsoleArea; isOpen: boolean; on: RouteName }>()
  return (
    <nav className={styles.navigation} aria-label={t('console.nav.label')}>
      <ul>
        {screenGroups.map(({ area, entries }) => {
          const pages = entries.filter((name) => mayOpen(member, getRoute(name)))
          if (pages.length === 0) return null
          const isChosen = toggled?.area === area && toggled.on === route.name
          const isOpen = isChosen ? toggled.isOpen : pages.includes(current)
          return (
            <Area
              key={area}
              area={area}
              pages={pages}
              current={current}
              isExactly={current === route.name}
              counts={counts}
              isOpen={isOpen}
              onToggle={() => setToggled({ area, isOpen: !isOpen, on: route.name })}
            />
          )
        })}
      </ul>
    </nav>
  )
}

/** The page that the navigation marks: the route itself, or the list that leads to it. */
const currentPage = ({ name, within }: Route): RouteName =>
  screenGroups.some(({ entries }) => entries.includes(name)) ? name : (within ?? name)

type AreaProps = {
  area: ConsoleArea
  /** At least one. */
  pages: readonly RouteName[]
  current: RouteName
  /** Whether the current page itself is open, and not one that is reached from it. */
  isExactly: boolean
  counts: WaitingCounts
  isOpen: boolean
  onToggle: () => void
}

/** An entry that leads to the first page of an area, with a button that shows the other pages below it. */
function Area({ area, pages, current, isExactly, counts, isOpen, onToggle }: AreaProps) {
  const { t } = useMessages()
  const id = useId()
  const first = pages[0]!
  const label = pages.length === 1 ? labelOf(first) : consoleAreas[area]
  // The entry stands for its first page if they have the same name.
  const isFirst = label === labelOf(first)
  const inside = isFirst ? pages.slice(1) : pages
  const countIn = (names: readonly RouteName[]) => names.reduce((sum, name) => sum + (counts[name] ?? 0), 0)
  const mark = isExactly ? 'page' : 'true'
  const isInside = inside.includes(current)
  const areaMark = isFirst && first === current ? mark : isInside && !isOpen ? 'true' : undefined
  return (
    <li>
      <div className={styles.area} data-current={pages.includes(current) || undefined}>
        <a href={pathTo(first)} aria-current={areaMark}>
          <span>{t(label)}</span>
          <Count count={countIn(isOpen ? pages.filter((name) => !inside.includes(name)) : pages)} />
        </a>
        {inside.length > 0 && (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={id}
            aria-label={t('console.nav.pages', { area: t(label) })}
            onClick={onToggle}
          />
        )}
      </div>
      {inside.length > 0 && (
        <ul id={id} className={styles.pages} hidden={!isOpen}>
          {inside.map((name) => (
            <li key={name}>
              <a href={pathTo(name)} aria-current={name === current ? mark : undefined}>
                <span>{t(labelOf(name))}</span>
                <Count count={counts[name] ?? 0} />
              </a>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

const countMax = 999

/** The number of items that wait, if there are any. */
function Count({ count }: { count: number }) {
  const { t } = useMessages()
  return (
    <CountBadge count={count} max={countMax} label={(shown) => t('console.nav.waiting', { count: shown })} />
  )
}
