import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { pathTo } from '../../../kernel/routes/routes.ts'
import type { HomeFacts } from '../home-facts.ts'
import { HomeSection } from '../home-section.tsx'
import { Synergy } from '../synergy/synergy.tsx'
import styles from './overview.module.css'

export function Overview({ synergy }: { synergy: HomeFacts['synergy'] }) {
  const { t } = useMessages()
  return (
    <HomeSection
      id="overview"
      heading={t('home.overview.heading')}
      className={styles.section}
      headClass={styles.head}
    >
      <p className={styles.lead}>{t('home.overview.intro')}</p>
      <div className={styles.text}>
        <p>{t('home.overview.paragraph1')}</p>
        <p>{t('home.overview.paragraph2')}</p>
        <p>{t('home.overview.paragraph3')}</p>
        <p>
          <a href={pathTo('project')}>{t('home.overview.link')}</a>
        </p>
      </div>
      {synergy.nodes.length > 0 && <Synergy synergy={synergy} />}
    </HomeSection>
  )
}
