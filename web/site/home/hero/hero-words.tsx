import { useBrand } from '../../../kernel/content/brand.tsx'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { offersWallet } from '../../store-badges.rules.ts'
import { pathTo } from '../../../kernel/routes/routes.ts'
import { ButtonLink } from '../../../kernel/ui/button.tsx'
import styles from './home-hero.module.css'

/** `isSelling`: visitors can buy tokens now. */
export function HeroWords({ isSelling }: { isSelling: boolean }) {
  const { t } = useMessages()
  const { links } = useBrand()
  return (
    <>
      <h1 id="hero-heading">{t('home.hero.title')}</h1>
      <p>{t('home.hero.lead')}</p>
      <div className={styles.ways}>
        {offersWallet(links) && <ButtonLink href="#wallet">{t('home.hero.wallet')}</ButtonLink>}
        {isSelling && (
          <ButtonLink kind="quiet" href={pathTo('sale')}>
            {t('home.hero.sale')}
          </ButtonLink>
        )}
        <ButtonLink kind="quiet" href={pathTo('project')}>
          {t('home.hero.project')}
        </ButtonLink>
      </div>
    </>
  )
}
