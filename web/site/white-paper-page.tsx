import type { ReactNode } from 'react'
import type { Language } from '#contract/platform/fields.ts'
import {
  readWhitePaper,
  type WhitePaper,
  type WhitePaperFile,
  type WhitePaperVersion,
} from '#contract/publishing/white-paper.ts'
import { WovenBand } from '../kernel/brand/woven-band.tsx'
import { htmlLanguage, languageName } from '../kernel/i18n/language.ts'
import { FormattedMessage, useMessages } from '../kernel/i18n/messages.tsx'
import type { PlainKey } from '../kernel/i18n/message-key.ts'
import { page, type LoadContext } from '../kernel/routes/page.ts'
import { pathTo } from '../kernel/routes/routes.ts'
import { Facts, type Fact } from '../kernel/ui/description-list.tsx'
import { PageHero } from '../kernel/ui/page-hero.tsx'
import book from './legal/legal-text.module.css'
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

/** The current version and earlier ones, each with its files and their hashes. */
export function WhitePaperVersions({ paper }: { paper: WhitePaper }) {
  const { t, formatDate } = useMessages()
  const [current, ...earlier] = paper.versions
  if (!current) return null
  return (
    <>
      <div className={styles.line}>
        <strong>
          {t('whitePaper.versions.current', {
            version: current.version,
            date: formatDate(current.date),
          })}
        </strong>
      </div>
      <Change of={current} />
      {paper.notifiedOn !== undefined && (
        <div className={styles.line}>
          {t('whitePaper.versions.notified', { date: formatDate(paper.notifiedOn) })}
        </div>
      )}
      <Files files={current.files} email={paper.issuer.email} />
      {current.files.length > 0 && <div className={styles.quiet}>{t('whitePaper.versions.compare')}</div>}
      {earlier.length > 0 && (
        <div>
          <h3>{t('whitePaper.earlier.heading')}</h3>
          <p>
            <strong>{t('whitePaper.earlier.text')}</strong>
          </p>
          {earlier.map((version) => (
            <section key={version.id} id={version.id}>
              <h4>
                {t('whitePaper.earlier.version', {
                  version: version.version,
                  date: formatDate(version.date),
                })}
              </h4>
              <Change of={version} />
              <Files files={version.files} email={paper.issuer.email} />
            </section>
          ))}
        </div>
      )}
    </>
  )
}

function Change({ of: { words } }: { of: WhitePaperVersion }) {
  const { t, language } = useMessages()
  const localized = words[language] ?? words.en
  return localized ? (
    <div className={styles.line}>{t('whitePaper.versions.change', { change: localized.change })}</div>
  ) : null
}

const kilobyte = 1000

/** The reader's language first. */
function Files({ files, email }: { files: readonly WhitePaperFile[]; email: string }) {
  const { t, language, formatNumber } = useMessages()
  if (files.length === 0)
    return (
      <div className={styles.line}>
        <FormattedMessage
          k="whitePaper.versions.noFile"
          values={{ email }}
          tags={{ mail: (words) => <a href={`mailto:${email}`}>{words}</a> }}
        />
      </div>
    )
  const sorted = files.toSorted((a, b) => Number(b.language === language) - Number(a.language === language))
  return (
    <ul className={styles.files}>
      {sorted.map((file) => (
        <li key={file.address}>
          <a href={file.address} hrefLang={htmlLanguage[file.language]} type="application/pdf">
            <FormattedMessage
              k="whitePaper.versions.open"
              values={{ language: languageName[file.language] }}
              tags={{ name: (words) => <span lang={htmlLanguage[file.language]}>{words}</span> }}
            />
          </a>
          <span className={styles.quiet}>
            {t('whitePaper.versions.file', {
              pages: file.pages,
              size: `${formatNumber(Math.ceil(file.bytes / kilobyte))} kB`,
            })}
          </span>
          <span className={styles.hash}>
            <span>{t('whitePaper.versions.hash')}</span> <code>{file.sha256}</code>
          </span>
        </li>
      ))}
    </ul>
  )
}

export default page({ load, head: ({ paper }) => (paper ? {} : { isMissing: true }), View: WhitePaperView })
