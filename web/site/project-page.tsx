import { DocumentFacts } from '../documents/document-facts.tsx'
import { findDocument, type DocumentFile } from '../documents/find-document.ts'
import { linkToDocument } from '../documents/link-to-document.ts'
import { useWords } from '../i18n/words.tsx'
import { page, type LoadContext } from '../routes/page.ts'
import { ButtonLink } from '../ui/button.tsx'
import { PageHero } from '../ui/page-hero.tsx'
import { CrowdfundingSection } from './project/contracts/crowdfunding-section.tsx'
import { DaoSection } from './project/contracts/dao-section.tsx'
import { RuleRosette, rosetteRules } from './project/drawings/rule-rosette.tsx'
import { ForceSection } from './project/force-section.tsx'
import { GetStartedSection } from './project/get-started-section.tsx'
import { OwnTokenSection } from './project/contracts/own-token-section.tsx'
import styles from './project/project-hero.module.css'
import { ScalableSection } from './project/scalable-section.tsx'
import { WalletSection } from './project/wallet-section.tsx'

type ProjectData = { brochure: DocumentFile; whitePaper: DocumentFile }

async function load({ facts, brand, language }: LoadContext): Promise<ProjectData> {
  const { documents } = await facts('documents')
  return {
    brochure: findDocument(documents, brand.documents.brochure, language),
    whitePaper: findDocument(documents, brand.documents.whitePaper, language),
  }
}

function ProjectView({ data: { brochure, whitePaper } }: { data: ProjectData }) {
  const { t } = useWords()
  return (
    <>
      <PageHero
        heading={t('project.hero.title')}
        lead={t('project.hero.lead')}
        drawing={<RuleRosette />}
        above={
          <p className={styles.rules} aria-hidden="true">
            {rosetteRules.map(({ ink, rule }) => (
              <span key={ink} data-ink={ink}>
                {rule}
              </span>
            ))}
          </p>
        }
      >
        <ul className={styles.documents}>
          <li>
            <ButtonLink {...linkToDocument(brochure)}>{t('project.hero.brochure')}</ButtonLink>
            <DocumentFacts file={brochure} />
          </li>
          <li>
            <ButtonLink kind="quiet" {...linkToDocument(whitePaper)}>
              {t('project.hero.whitePaper')}
            </ButtonLink>
            <DocumentFacts file={whitePaper} />
          </li>
        </ul>
      </PageHero>
      <WalletSection />
      <ScalableSection />
      <OwnTokenSection />
      <CrowdfundingSection />
      <DaoSection />
      <GetStartedSection />
      <ForceSection />
    </>
  )
}

export default page({ load, View: ProjectView })
