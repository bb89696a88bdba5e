import { useId } from 'react'
import { useMessages } from '../../i18n/messages.tsx'
import { getRoute, labelOf, pathTo, type Route, type RouteName } from '../../routes/routes.ts'
import { useSession } from '../../session/session.ts'
import styles from './console-bar.module.css'
import { mayOpen } from '../can-access.ts'
import { screenGroups } from '../screen-groups.ts'

/** Links to the pages that the levels allow. Empty on the server and until the session is known. */
export function ConsoleNavigation({ route }: { route: Route }) {
  const { t } = useMessages()
  const { member } = useSession()
  const id = useId()
  return (
    <nav className={styles.navigation} aria-label={t('console.nav.label')}>
      {screenGroups.map(({ heading, entries }) => {
        const visible = entries.filter((name) => mayOpen(member, getRoute(name)))
        if (visible.length === 0) return null
        return (
          <div key={entries[0]} className={styles.group}>
            {heading && <h2 id={`${id}-${heading}`}>{t(heading)}</h2>}
            <ul aria-labelledby={heading ? `${id}-${heading}` : undefined}>
              {visible.map((name) => (
                <li key={name}>
                  <a href={pathTo(name)} aria-current={currentOf(name, route)}>
                    {t(labelOf(name))}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        )
      })}
    </nav>
  )
}

const currentOf = (name: RouteName, { name: visible, within }: Route) =>
  name === visible ? 'page' : name === within ? 'true' : undefined
