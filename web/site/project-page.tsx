import { readWhitePaper } from '#contract/white-paper.ts'
import { DocumentFacts } from '../documents/document-facts.tsx'
import { findDocument, type DocumentFile } from '../documents/find-document.ts'
import { linkToDocument } from '../documents/link-to-document.ts'
import { useMessages } from '../i18n/messages.tsx'
import { page, type LoadContext } from '../routes/page.ts'
import { pathTo } from '../routes/routes.ts'
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

type Offered = { file: DocumentFile; name: 'brochure' | 'whitePaper' | null }
/** In display order. Documents other than these two are labeled with their title. */
type ProjectData = {
  documents: readonly Offered[]
  /** Whether the separate page with the legally required information about the white paper exists. */
  hasLaw: boolean
}

async function load({ facts, brand, language, call }: LoadContext): Promise<ProjectData> {
  const { documents } = await facts('documents')
  const law = await call(readWhitePaper, {})
  const { brochure, whitePaper, others = [] } = brand.documents
  const wanted = [
    { base: brochure, name: 'brochure' as const },
    { base: whitePaper, name: 'whitePaper' as const },
    ...others.map((base) => ({ base, name: null })),
  ]
  return {
    hasLaw: law.whitePaper !== null,
    documents: wanted.flatMap(({ base, name }) => {
      const file = findDocument(documents, base, language)
      return file ? [{ file, name }] : []
    }),
  }
}

function ProjectView({ data: { documents, hasLaw } }: { data: ProjectData }) {
  const { t } = useMessages()
  const labels = { brochure: t('project.hero.brochure'), whitePaper: t('project.hero.whitePaper') }
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
        {documents.length > 0 && (
          <ul className={styles.documents}>
            {documents.map(({ file, name }, at) => (
              <li key={file.address}>
                <ButtonLink {...(at > 0 && { kind: 'quiet' as const })} {...linkToDocument(file)}>
                  {name ? labels[name] : file.title}
                </ButtonLink>
                <DocumentFacts file={file} />
                {name === 'whitePaper' && hasLaw && (
                  <a className={styles.law} href={pathTo('whitePaper')}>
                    {t('project.hero.law')}
                  </a>
                )}
              </li>
            ))}
          </ul>
        )}
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
