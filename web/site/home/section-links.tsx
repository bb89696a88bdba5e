import { useBrand } from '../../kernel/content/brand.tsx'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { offersWallet } from '../store-badges.rules.ts'
import type { HomeData, HomeFacts } from './home-facts.ts'
import styles from './section-links.module.css'

/**
 * Links to the sections of the page, which stay in view on wide screens. `mark-current-section.ts` marks the current one
 * after the reader's first interaction.
 */
export function SectionLinks({
  sale,
  films,
  coinFacts,
  features,
  comparison,
  roadmap,
  team,
}: HomeFacts & Partial<Pick<HomeData, 'sale'>>) {
  const { t } = useMessages()
  const { links } = useBrand()
  const sections = [
    { id: 'sale', label: t('layout.footer.sale'), isShown: Boolean(sale) },
    { id: 'overview', label: t('home.sections.overview'), isShown: true },
    { id: 'films', label: t('home.sections.films'), isShown: films.length > 0 },
    { id: 'problem', label: t('home.sections.problem'), isShown: true },
    { id: 'coin-facts', label: t('home.sections.figures'), isShown: coinFacts.length > 0 },
    { id: 'features', label: t('home.sections.features'), isShown: features.length > 0 },
    { id: 'wallet', label: t('home.sections.wallet'), isShown: offersWallet(links) },
    { id: 'comparison', label: t('home.sections.comparison'), isShown: comparison.rows.length > 0 },
    { id: 'roadmap', label: t('home.sections.roadmap'), isShown: roadmap.length > 0 },
    { id: 'team', label: t('home.sections.team'), isShown: team.length > 0 },
  ]
  return (
    <nav className={styles.sections} aria-label={t('home.sections.label')} data-sections>
      <ul>
        {sections.map(
          ({ id, label, isShown }) =>
            isShown && (
              <li key={id}>
                <a href={`#${id}`}>{label}</a>
              </li>
            ),
        )}
      </ul>
    </nav>
  )
}
