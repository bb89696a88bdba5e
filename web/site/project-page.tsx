import { readWhitePaper } from '#contract/publishing/white-paper.ts'
import { Woven } from '../kernel/brand/woven.tsx'
import { DocumentFacts } from '../kernel/documents/document-facts.tsx'
import { findDocument, type DocumentFile } from '../kernel/documents/find-document.ts'
import { linkToDocument } from '../kernel/documents/link-to-document.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { page, type LoadContext } from '../kernel/routes/page.ts'
import { pathTo } from '../kernel/routes/routes.ts'
import { ButtonLink } from '../kernel/ui/button.tsx'
import { PageHero } from '../kernel/ui/page-hero.tsx'
import { CrowdfundingSection } from './project/contracts/crowdfunding-section.tsx'
import { DaoSection } from './project/contracts/dao-section.tsx'
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

const blades = { inner: 74, outer: 98, lobes: 24 }
const net = { inner: 22, outer: 98, lobes: 3 }
const core = { inner: 8, outer: 21, lobes: 7 }

/** The radius at each angle: halfway between the edges, plus or minus the swing. */
const rule = ({ inner, outer, lobes }: typeof blades) =>
  `r = ${(outer + inner) / 2} + ${(outer - inner) / 2} cos ${lobes}θ`

/** The whole figure follows from these parameters. */
const rosetteRules = [
  { ink: 'copper', rule: rule(blades) },
  { ink: 'verdigris', rule: rule(net) },
  { ink: 'paper', rule: rule(core) },
]

function RuleRosette() {
  return (
    <div className={styles.machine}>
      <svg className={`${styles.layer} ${styles.back}`} viewBox="-100 -100 200 200">
        <Woven figure={net} times={36} twist={120 / 36} className={styles.net} />
      </svg>
      <svg className={styles.layer} viewBox="-100 -100 200 200">
        <Woven figure={blades} times={30} twist={0.62} shrink={0.0222} className={styles.blades} />
      </svg>
      <svg className={`${styles.layer} ${styles.back}`} viewBox="-100 -100 200 200">
        <Woven figure={core} times={18} twist={360 / 7 / 18} className={styles.core} />
      </svg>
      <svg className={styles.still} viewBox="-100 -100 200 200">
        <circle r="99.4" />
      </svg>
    </div>
  )
}

export default page({ load, View: ProjectView })
