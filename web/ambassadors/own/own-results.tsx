import { useEffect, useState } from 'react'
import {
  getAmbassadorResults,
  type AmbassadorResults,
  invitationCauses,
  type InvitationFigures,
} from '#contract/people/ambassador-results.ts'
import type { Language } from '#contract/platform/fields.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { useBrand } from '../../kernel/content/brand.tsx'
import { loadFacts } from '../../kernel/content/load-facts.ts'
import { loadMessages } from '../../kernel/content/load-messages.ts'
import { findDocument } from '../../kernel/documents/find-document.ts'
import { linkToDocument } from '../../kernel/documents/link-to-document.ts'
import { interpolate } from '../../kernel/i18n/interpolate.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { makeQr } from '../../kernel/make-qr.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { saveFile } from '../../kernel/save-file.ts'
import { BarFigure } from '../../kernel/ui/bar-figure.tsx'
import { Button } from '../../kernel/ui/button.tsx'
import { copyText } from '../../kernel/ui/copy-text.ts'
import { Facts } from '../../kernel/ui/description-list.tsx'
import { Message } from '../../kernel/ui/form-status.tsx'
import { PagePart } from '../../kernel/ui/page-head.tsx'
import { Table } from '../../kernel/ui/table.tsx'
import { drawShare, paintShare, planShare, shareSize } from './draw-share.ts'
import styles from './own-results.module.css'

/** Results of the ambassador's invitations, and material to invite with. */
export function OwnResults() {
  const { t, joinNames } = useMessages()
  const loaded = useLoaded('results', () => call(getAmbassadorResults, {}))
  if (loaded.state !== 'ready')
    return <NotLoaded of={loaded} title={t('ambassadorAccount.results.loadFailed')} />
  const { code, isCounting, totals, weeks, points } = loaded.data
  const rules = invitationCauses
    .filter((cause) => points.rules[cause] > 0)
    .map((cause) => t(`ambassadorAccount.points.rule.${cause}`, { points: points.rules[cause] }))
  return (
    <>
      <SharePart code={code} isCounting={isCounting} />
      <PagePart
        id="results"
        heading={t('ambassadorAccount.results.heading')}
        lead={t('ambassadorAccount.results.lead')}
      >
        {weeks.length === 0 ? (
          <p>{t('ambassadorAccount.results.none')}</p>
        ) : isAllZero(totals, weeks) ? (
          <p>{t('ambassadorAccount.results.nothingYet')}</p>
        ) : (
          <WeekChart totals={totals} weeks={weeks} />
        )}
        <p className={styles.quiet}>{t('ambassadorAccount.results.notCounted')}</p>
      </PagePart>
      <PagePart id="points" heading={t('ambassadorAccount.points.heading')}>
        <p className={styles.total}>{t('ambassadorAccount.points.total', { points: points.total })}</p>
        {rules.length > 0 && (
          <p className={styles.quiet}>{t('ambassadorAccount.points.rules', { rules: joinNames(rules) })}</p>
        )}
        {points.entries.length === 0 ? (
          <p>{t('ambassadorAccount.points.none')}</p>
        ) : (
          <Ledger entries={points.entries} />
        )}
      </PagePart>
    </>
  )
}

const series = ['signUps', 'activations', 'identities'] as const

/** Deducted points are shown in their week, even if the total is zero. */
const isAllZero = (totals: InvitationFigures, weeks: readonly InvitationFigures[]): boolean =>
  [totals, ...weeks].every((figures) => series.every((figure) => figures[figure] === 0))

type Weeks = AmbassadorResults['weeks']

function WeekChart({ totals, weeks }: { totals: InvitationFigures; weeks: Weeks }) {
  const { t, formatDate, formatNumber, nameValue } = useMessages()
  const dateOf = (week: string) => formatDate(`${week}T12:00:00Z`)
  const highest = Math.max(1, ...weeks.flatMap((week) => series.map((figure) => week[figure])))
  const describeWeek = (figure: keyof InvitationFigures) => {
    const most = weeks.reduce((high, each) => (each[figure] > high[figure] ? each : high))
    return most[figure] > 0
      ? t('ambassadorAccount.results.most', { value: most[figure], week: dateOf(most.week) })
      : t('ambassadorAccount.results.nothing')
  }
  return (
    <BarFigure
      heading={t('ambassadorAccount.results.chart')}
      times={weeks.map(({ week }) => dateOf(week))}
      series={series.map((figure) => ({
        name: figure,
        label: t(`ambassadorAccount.results.${figure}`),
        total: formatNumber(totals[figure]),
        said: describeWeek(figure),
        bars: weeks.map((week) => ({
          part: Math.max(0, week[figure]) / highest,
          text: nameValue(dateOf(week.week), formatNumber(week[figure])),
        })),
      }))}
      roomMin={8}
      tableLabel={t('ambassadorAccount.results.table')}
    >
      <Table
        caption={t('ambassadorAccount.results.chart')}
        rows={weeks.toReversed()}
        rowKey={({ week }) => week}
        columns={[
          {
            name: 'week',
            heading: t('ambassadorAccount.results.week'),
            cell: ({ week }) => <time dateTime={week}>{dateOf(week)}</time>,
          },
          ...series.map((figure) => ({
            name: figure,
            heading: t(`ambassadorAccount.results.${figure}`),
            isFigure: true,
            cell: (week: Weeks[number]) => formatNumber(week[figure]),
          })),
        ]}
      />
    </BarFigure>
  )
}

type Entry = AmbassadorResults['points']['entries'][number]

function Ledger({ entries }: { entries: readonly Entry[] }) {
  const { t, formatDate, formatNumber } = useMessages()
  return (
    <Table
      caption={t('ambassadorAccount.points.caption')}
      rows={entries}
      rowKey={({ week, cause, isReversal }) => `${week} ${cause} ${isReversal}`}
      columns={[
        {
          name: 'week',
          heading: t('ambassadorAccount.results.week'),
          cell: ({ week }) => <time dateTime={week}>{formatDate(`${week}T12:00:00Z`)}</time>,
        },
        {
          name: 'cause',
          heading: t('ambassadorAccount.points.cause'),
          cell: ({ cause, isReversal }) => t(`ambassadorAccount.points.${cause}${isReversal ? '.back' : ''}`),
        },
        ...(['count', 'points'] as const).map((figure) => ({
          name: figure,
          heading: t(`ambassadorAccount.points.${figure}`),
          isFigure: true,
          cell: (entry: Entry) => formatNumber(entry[figure]),
        })),
      ]}
    />
  )
}

/** The invitation link with its QR code, pictures of it, and the e-book. */
function SharePart({ code, isCounting }: { code: string; isCounting: boolean }) {
  const { t } = useMessages()
  const [isCopied, setCopied] = useState<boolean>()
  const link = `${location.origin}${pathTo('login.signup')}?invitation=${encodeURIComponent(code)}`
  return (
    <PagePart
      id="share"
      heading={t('ambassadorAccount.share.heading')}
      lead={t('ambassadorAccount.share.lead')}
    >
      {!isCounting && (
        <Message kind="note">
          <p>{t('ambassadorAccount.share.ended')}</p>
        </Message>
      )}
      <Facts
        facts={[
          {
            name: 'link',
            label: t('ambassadorAccount.share.link'),
            value: <code className={styles.link}>{link}</code>,
          },
          { name: 'code', label: t('ambassadorAccount.share.code'), value: <code>{code}</code> },
        ]}
      />
      <div className={styles.copy}>
        <Button kind="quiet" onClick={() => void copyText(link).then(setCopied)}>
          {t('ambassadorAccount.share.copy')}
        </Button>
        <p role="status">
          {isCopied === true && t('ambassadorAccount.share.copied')}
          {isCopied === false && t('ambassadorAccount.share.copyFailed')}
        </p>
      </div>
      <h3>{t('ambassadorAccount.share.pictures')}</h3>
      <p className={styles.quiet}>{t('ambassadorAccount.share.pictures.help')}</p>
      <div className={styles.pictures}>
        <SharePicture of="en" link={link} code={code} />
        <SharePicture of="cn" link={link} code={code} />
      </div>
      <Ebook />
    </PagePart>
  )
}

function Ebook() {
  const { t, language } = useMessages()
  const { documents } = useBrand()
  const loaded = useLoaded('documents', () => loadFacts('documents'))
  if (loaded.state !== 'ready') return null
  const ebook = findDocument(loaded.data.documents, documents.ambassadorEbook, language)
  if (!ebook) return null
  return (
    <p>
      <a {...linkToDocument(ebook)} download>
        {t('ambassadorAccount.share.ebook')}
      </a>
    </p>
  )
}

/**
 * A picture to print or share, in one language, independent of the page's language. It is drawn in the browser.
 */
function SharePicture({ of, link, code }: { of: Language; link: string; code: string }) {
  const { t } = useMessages()
  const language = t(`ambassadorAccount.share.${of}`)
  const painted = useLoaded(`${of} ${link}`, async () => {
    const [messages, qr] = await Promise.all([loadMessages(of, ['ambassador-share']), makeQr(link)])
    const plan = planShare({
      language: of,
      qr,
      headline: interpolate(messages['ambassadorShare.headline'] ?? '', of),
      text: interpolate(messages['ambassadorShare.text'] ?? '', of),
      code: interpolate(messages['ambassadorShare.code'] ?? '', of, { code }),
      host: new URL(link).host,
    })
    return { plan, png: await paintShare(plan) }
  })
  const png = painted.state === 'ready' ? painted.data.png : undefined
  const address = useObjectUrl(png)
  if (painted.state === 'failed')
    return <NotLoaded of={painted} title={t('ambassadorAccount.share.failed')} />
  if (painted.state === 'loading' || !png) return <div className={styles.picture} aria-busy="true" />
  const { plan } = painted.data
  const file = `ambassador-${code}-${of}`
  return (
    <figure className={styles.shared}>
      <img
        className={styles.picture}
        src={address}
        alt={t('ambassadorAccount.share.picture.alt', { language })}
        width={shareSize}
        height={shareSize}
      />
      <figcaption>
        <span>{language}</span>
        <Button
          kind="quiet"
          aria-label={t('ambassadorAccount.share.png.named', { language })}
          onClick={() => saveFile(png, `${file}.png`)}
        >
          {t('ambassadorAccount.share.png')}
        </Button>
        <Button
          kind="quiet"
          aria-label={t('ambassadorAccount.share.svg.named', { language })}
          onClick={() => saveFile(new Blob([drawShare(plan)], { type: 'image/svg+xml' }), `${file}.svg`)}
        >
          {t('ambassadorAccount.share.svg')}
        </Button>
      </figcaption>
    </figure>
  )
}

function useObjectUrl(blob: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!blob) return undefined
    const made = URL.createObjectURL(blob)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return address
}
