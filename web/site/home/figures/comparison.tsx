import { useMessages } from '../../../kernel/i18n/messages.tsx'
import type { HomeFacts } from '../home-facts.ts'
import { HomeSection } from '../home-section.tsx'
import styles from './comparison.module.css'

/** The first column of values is our own. On narrow screens the table scrolls while its row headings stay in view. */
export function Comparison({ columns, rows }: HomeFacts['comparison']) {
  const { t } = useMessages()
  return (
    <HomeSection
      id="comparison"
      heading={t('home.comparison.heading')}
      intro={t('home.comparison.intro')}
      className={styles.section}
    >
      <div
        className={styles.frame}
        role="region"
        aria-labelledby="comparison-caption"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling area must be reachable by keyboard
        tabIndex={0}
      >
        <table className={styles.table} data-wide={columns.length > 4 || undefined}>
          <caption id="comparison-caption">{t('home.comparison.caption')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('home.comparison.property')}</th>
              {columns.map(({ id, title, note }) => (
                <th key={id} scope="col">
                  {title}
                  {note && <span>{note}</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id, label, values }) => (
              <tr key={id}>
                <th scope="row">{label}</th>
                {values.map((value, index) => (
                  <td key={columns[index]?.id}>{value}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={styles.note}>{t('home.comparison.note')}</p>
    </HomeSection>
  )
}
