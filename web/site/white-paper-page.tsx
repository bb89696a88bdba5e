import type { ReactNode } from 'react'
import type { Language } from '#contract/fields.ts'
import { readWhitePaper, type WhitePaper } from '#contract/white-paper.ts'
import { WovenBand } from '../brand/woven-band.tsx'
import { useMessages } from '../i18n/messages.tsx'
import type { PlainKey } from '../i18n/message-key.ts'
import { page, type LoadContext } from '../routes/page.ts'
import { pathTo } from '../routes/routes.ts'
import { Facts, type Fact } from '../ui/description-list.tsx'
import { PageHero } from '../ui/page-hero.tsx'
import book from './legal/legal-text.module.css'
import { WhitePaperVersions } from './white-paper/versions.tsx'
import styles from './white-paper/white-paper.module.css'

type Data = { paper: WhitePaper | null }

const load = async ({ call }: LoadContext): Promise<Data> => ({
  paper: (await call(readWhitePaper, {})).whitePaper,
})

/** Text that exists in only one language is marked with that language. */
const inLanguage = <Said,>(
  words: Partial<Record<Language, Said | undefined>>,
  language: Language,
): Said | undefined => words[language] ?? words.en

type Section = { id: string; heading: PlainKey }
const sections: readonly Section[] = [
  { id: 'versions', heading: 'whitePaper.versions.heading' },
  { id: 'responsible', heading: 'whitePaper.statement.heading' },
  { id: 'risks', heading: 'whitePaper.risks.heading' },
  { id: 'withdrawal', heading: 'whitePaper.withdrawal.heading' },
  { id: 'marketing', heading: 'whitePaper.marketing.heading' },
  { id: 'issuer', heading: 'whitePaper.issuer.heading' },
]

/**
 * The information that Regulation (EU) 2023/1114 requires beside the white paper: articles 6, 7, 9, 12, and 13.
 */
function WhitePaperView({ data: { paper } }: { data: Data }) {
  const { t } = useMessages()
  if (!paper) return <PageHero heading={t('whitePaper.title')} lead={t('whitePaper.missing')} size="low" />
  const shown = sections.filter(({ id }) => id !== 'withdrawal' || paper.withdrawalDays > 0)
  const parts: Readonly<Record<string, ReactNode>> = {
    versions: <WhitePaperVersions paper={paper} />,
    responsible: <div className={styles.statement}>{t('whitePaper.statement.approval')}</div>,
    risks: <Risks isUtility={paper.isUtility} />,
    withdrawal: <Withdrawal paper={paper} />,
    marketing: (
      <>
        <p>{t('whitePaper.marketing.text')}</p>
        <div className={styles.statement}>{t('whitePaper.marketing.statement')}</div>
      </>
    ),
    issuer: <Issuer paper={paper} />,
  }
  return (
    <>
      <PageHero
        heading={t('whitePaper.title')}
        lead={t('whitePaper.lead')}
        size="low"
        drawing={<WovenBand className={book.band} />}
        above={paper.isSample && <p className={styles.sample}>{t('whitePaper.sample')}</p>}
      />
      <div className={book.book}>
        <nav className={book.contents} aria-label={t('whitePaper.contents')}>
          <ol>
            {shown.map(({ id, heading }) => (
              <li key={id}>
                <a href={`#${id}`}>{t(heading)}</a>
              </li>
            ))}
          </ol>
        </nav>
        <div className={book.text}>
          {shown.map(({ id, heading }) => (
            <section key={id} id={id} aria-labelledby={`${id}-heading`}>
              <h2 id={`${id}-heading`}>{t(heading)}</h2>
              {parts[id]}
            </section>
          ))}
        </div>
      </div>
    </>
  )
}

/** In the wording of article 6(5). */
function Risks({ isUtility }: { isUtility: boolean }) {
  const { t } = useMessages()
  const risks: PlainKey[] = [
    'whitePaper.risks.value',
    'whitePaper.risks.transfer',
    'whitePaper.risks.liquid',
    ...(isUtility ? (['whitePaper.risks.utility'] as const) : []),
    'whitePaper.risks.investor',
    'whitePaper.risks.deposit',
  ]
  return (
    <ul className={styles.risks}>
      {risks.map((risk) => (
        <li key={risk}>{t(risk)}</li>
      ))}
    </ul>
  )
}

function Withdrawal({ paper: { withdrawalDays, timeZone } }: { paper: WhitePaper }) {
  const { t } = useMessages()
  return (
    <>
      <p>{t('whitePaper.withdrawal.who', { days: withdrawalDays })}</p>
      <p>{t('whitePaper.withdrawal.how', { zone: timeZone })}</p>
      <p>{t('whitePaper.withdrawal.refund')}</p>
      <p>{t('whitePaper.withdrawal.not')}</p>
      <p>
        <a href={pathTo('account.accountDetails')}>{t('whitePaper.withdrawal.orders')}</a>
      </p>
    </>
  )
}

function Issuer({ paper: { issuer } }: { paper: WhitePaper }) {
  const { t, language } = useMessages()
  const { email, phone, website, lei, words } = issuer
  const localized = inLanguage(words, language)
  const facts: (Fact | false | undefined)[] = [
    { name: 'name', label: t('whitePaper.issuer.name'), value: localized?.name },
    { name: 'role', label: t('whitePaper.issuer.role'), value: localized?.role },
    {
      name: 'address',
      label: t('whitePaper.issuer.address'),
      value: (
        <address className={styles.address}>
          {localized?.address.map((line) => (
            <span key={line}>{line}</span>
          ))}
        </address>
      ),
    },
    localized?.registered !== undefined && {
      name: 'registered',
      label: t('whitePaper.issuer.registered'),
      value: localized.registered,
    },
    lei !== undefined && { name: 'lei', label: t('whitePaper.issuer.lei'), value: lei },
    {
      name: 'email',
      label: t('whitePaper.issuer.email'),
      value: <a href={`mailto:${email}`}>{email}</a>,
    },
    phone !== undefined && {
      name: 'phone',
      label: t('whitePaper.issuer.phone'),
      value: <a href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>{phone}</a>,
    },
    website !== undefined && {
      name: 'website',
      label: t('whitePaper.issuer.website'),
      value: <a href={website}>{website.replace(/^https:\/\//, '')}</a>,
    },
  ]
  return <Facts facts={facts.filter((fact) => fact !== undefined && fact !== false)} />
}

export default page({ load, head: ({ paper }) => (paper ? {} : { isMissing: true }), View: WhitePaperView })
