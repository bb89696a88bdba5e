import { useMessages } from '../../../kernel/i18n/messages.tsx'
import section from '../../../kernel/ui/page-section.module.css'
import styles from './crowdfunding-section.module.css'
import { CampaignDrawing } from '../drawings/campaign-drawing.tsx'

export function CrowdfundingSection() {
  const { t } = useMessages()
  return (
    <section
      id="crowdfunding"
      className={`${section.section} ${styles.crowdfunding}`}
      aria-labelledby="crowdfunding-heading"
    >
      <CampaignDrawing className={styles.drawing} />
      <div className={styles.words}>
        <h2 id="crowdfunding-heading">{t('project.crowdfunding.heading')}</h2>
        <p>{t('project.crowdfunding.paragraph1')}</p>
        <p>{t('project.crowdfunding.paragraph2')}</p>
        <ul className={styles.points}>
          <li data-key="ring">{t('project.crowdfunding.point1')}</li>
          <li data-key="back">{t('project.crowdfunding.point2')}</li>
          <li>{t('project.crowdfunding.point3')}</li>
        </ul>
      </div>
    </section>
  )
}
