import { useMessages } from '../../../i18n/messages.tsx'
import type { SynergyLayout } from './synergy-layout.ts'
import { SynergyGraph } from './synergy-graph.tsx'
import styles from './synergy.module.css'

export function Synergy({ synergy }: { synergy: SynergyLayout }) {
  const { t } = useMessages()
  const labelOf = new Map(synergy.nodes.map(({ id, label }) => [id, label]))
  return (
    <div className={styles.synergy}>
      <div className={styles.words}>
        <h3>{t('home.synergy.heading')}</h3>
        <p className={styles.intro}>{t('home.synergy.intro')}</p>
        <dl className={styles.nodes}>
          {synergy.nodes.map(({ id, label, text }) => (
            <div key={id}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        {synergy.edges.length > 0 && (
          <details>
            <summary>{t('home.synergy.list')}</summary>
            <ul>
              {synergy.edges.map(({ from, to, label }) => (
                <li key={from + to}>
                  {labelOf.get(from)} → {labelOf.get(to)}
                  <span>{label}</span>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <div className={styles.picture}>
        <SynergyGraph {...synergy} label={t('home.synergy.diagram')} />
      </div>
    </div>
  )
}
