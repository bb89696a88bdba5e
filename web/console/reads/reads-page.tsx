import { DAY } from '#contract/platform/durations.ts'
import {
  otherReferrer,
  readReads,
  readsDaysMax,
  readsListMax,
  type Reads,
} from '#contract/publishing/reads.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { languageLabel } from '../../kernel/i18n/language-label.ts'
import { htmlLanguage } from '../../kernel/i18n/language.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { navigate } from '../../kernel/navigation/navigate.ts'
import { page, type PageProps } from '../../kernel/routes/page.ts'
import { pathIn, pathTo } from '../../kernel/routes/routes.ts'
import { useSession } from '../../kernel/session/session.ts'
import { BarFigure } from '../../kernel/ui/bar-figure.tsx'
import { Empty } from '../../kernel/ui/empty.tsx'
import { TextField } from '../../kernel/ui/field.tsx'
import { Message } from '../../kernel/ui/form-status.tsx'
import { PageHead, PagePart } from '../../kernel/ui/page-head.tsx'
import { Table } from '../../kernel/ui/table.tsx'
import styles from './reads.module.css'

/** How often pages, posts, and documents were read in a period. */
function ReadsView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  return (
    <>
      <PageHead heading={t('console.nav.reads')} lead={t('reads.lead')} />
      {member && <Loaded from={dayIn(search.get('from'))} to={dayIn(search.get('to'))} />}
    </>
  )
}

const dayIn = (value: string | null): string =>
  value !== null && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : ''

function openPeriod(period: Period): void {
  const query = new URLSearchParams(Object.entries(period).filter(([, day]) => day !== ''))
  const path = pathTo('console.reads')
  void navigate(query.size > 0 ? `${path}?${query}` : path, { inPlace: true, replace: true })
}

type Period = { from: string; to: string }

/** Number of days. A day that isn't chosen has a default on the server. */
const lengthOf = ({ from, to }: Period): number =>
  from && to ? (Date.parse(to) - Date.parse(from)) / DAY + 1 : 1

function Loaded({ from, to }: Period) {
  const { t } = useMessages()
  const length = lengthOf({ from, to })
  const isWrong = length < 1 || length > readsDaysMax
  const loaded = useLoaded(`${from} ${to}`, async () =>
    isWrong ? null : call(readReads, { query: { ...(from && { from }), ...(to && { to }) } }),
  )
  const shown = loaded.state === 'ready' ? loaded.data : null
  return (
    <>
      {shown && !shown.isCounting && <Message kind="note">{t('reads.off')}</Message>}
      <PeriodFields from={from || (shown?.from ?? '')} to={to || (shown?.to ?? '')} />
      {loaded.state !== 'ready' && <NotLoaded of={loaded} title={t('reads.failed')} />}
      {shown && <Report reads={shown} />}
    </>
  )
}

function Report({ reads }: { reads: Reads }) {
  const { t } = useMessages()
  if (reads.total === 0) return <Empty role="status" title={t('reads.none')} />
  return (
    <>
      <ReadsByDay reads={reads} />
      <ReadsByItem items={reads.items} />
      <ReadsByLanguage languages={reads.languages} />
      <ReadsByReferrer referrers={reads.referrers} />
    </>
  )
}

function PeriodFields(period: Period) {
  const { t } = useMessages()
  const length = lengthOf(period)
  const problem =
    length < 1
      ? t('reads.from.late')
      : length > readsDaysMax
        ? t('reads.period.long', { days: readsDaysMax })
        : undefined
  return (
    <div className={styles.period} role="search" aria-label={t('reads.period')}>
      {(['from', 'to'] as const).map((end) => (
        <TextField
          key={end}
          label={t(`reads.${end}`)}
          type="date"
          value={period[end]}
          error={end === 'from' ? problem : undefined}
          onChange={({ target }) => openPeriod({ ...period, [end]: target.value })}
        />
      ))}
    </div>
  )
}

function ReadsByDay({ reads: { from, today, dailySince, days, total } }: { reads: Reads }) {
  const { t, formatDate, formatNumber, nameValue } = useMessages()
  const dateOf = (day: string) => formatDate(`${day}T12:00:00Z`)
  const most = days.reduce((best, each) => (each.reads > best.reads ? each : best))
  return (
    <PagePart heading={t('reads.byDay')} id="by-day">
      <BarFigure
        heading={t('reads.reads')}
        times={days.map(({ day }) => dateOf(day))}
        series={[
          {
            name: 'reads',
            label: t('reads.total'),
            total: formatNumber(total),
            said: t('reads.byDay.most', { value: formatNumber(most.reads), day: dateOf(most.day) }),
            bars: days.map(({ day, reads }) => ({
              part: reads / most.reads,
              text: nameValue(dateOf(day), formatNumber(reads)),
            })),
          },
        ]}
        isLastOpen={days.at(-1)?.day === today}
        tableLabel={t('reads.byDay.table')}
      >
        <Table
          caption={t('reads.byDay')}
          rows={days.filter(({ reads }) => reads > 0).toReversed()}
          rowKey={({ day }) => day}
          columns={[
            {
              name: 'day',
              heading: t('reads.day'),
              cell: ({ day }) => <time dateTime={day}>{dateOf(day)}</time>,
            },
            readsColumn(t('reads.reads'), formatNumber),
          ]}
        />
      </BarFigure>
      {from < dailySince && <p className={styles.note}>{t('reads.monthly')}</p>}
    </PagePart>
  )
}

const readsColumn = (heading: string, formatNumber: (value: number) => string) => ({
  name: 'reads',
  heading,
  isFigure: true,
  cell: ({ reads }: { reads: number }) => formatNumber(reads),
})

function ReadsByItem({ items }: Pick<Reads, 'items'>) {
  const { t, formatNumber } = useMessages()
  return (
    <PagePart heading={t('reads.byItem')} id="by-item">
      <Table
        caption={t('reads.byItem')}
        rows={items}
        rowKey={({ kind, item }) => `${kind} ${item}`}
        columns={[
          { name: 'item', heading: t('reads.item'), cell: (row) => <Item of={row} /> },
          { name: 'kind', heading: t('reads.kind'), cell: ({ kind }) => t(`reads.kind.${kind}`) },
          readsColumn(t('reads.reads'), formatNumber),
        ]}
      />
      <ListEnd count={items.length} />
    </PagePart>
  )
}

/** The title of a post or document in its language, with a link; the path of a page; or the name of a removed file. */
function Item({ of: { kind, item, title, language, slug } }: { of: Reads['items'][number] }) {
  const { t } = useMessages()
  const name = title ?? (kind === 'post' ? t('reads.deleted') : item.replace(/:\w+$/, '…'))
  const lang = title !== null && language !== null ? htmlLanguage[language] : undefined
  const address =
    kind === 'post'
      ? slug !== null && language !== null && pathIn(language, 'newsPost', { slug })
      : kind === 'document'
        ? title !== null && `/assets/pdfs/${item}`
        : !item.includes(':') && item
  return address ? (
    <a href={address} lang={lang}>
      {name}
    </a>
  ) : (
    <span lang={lang}>{name}</span>
  )
}

function ReadsByLanguage({ languages }: Pick<Reads, 'languages'>) {
  const { t, formatNumber } = useMessages()
  return (
    <PagePart heading={t('reads.byLanguage')} id="by-language">
      <Table
        caption={t('reads.byLanguage')}
        rows={languages}
        rowKey={({ language }) => language}
        columns={[
          {
            name: 'language',
            heading: t('reads.language'),
            cell: ({ language }) => languageLabel(t, language),
          },
          readsColumn(t('reads.reads'), formatNumber),
        ]}
      />
    </PagePart>
  )
}

function ReadsByReferrer({ referrers }: Pick<Reads, 'referrers'>) {
  const { t, formatNumber } = useMessages()
  const nameOf = (host: string) =>
    host === '' ? t('reads.referrer.none') : host === otherReferrer ? t('reads.referrer.other') : host
  return (
    <PagePart heading={t('reads.byReferrer')} lead={t('reads.byReferrer.lead')} id="by-referrer">
      <Table
        caption={t('reads.byReferrer')}
        rows={referrers}
        rowKey={({ host }) => host}
        columns={[
          { name: 'host', heading: t('reads.referrer'), cell: ({ host }) => nameOf(host) },
          readsColumn(t('reads.reads'), formatNumber),
        ]}
      />
      <ListEnd count={referrers.length} />
    </PagePart>
  )
}

/** Says that a list shows only some of its entries. */
function ListEnd({ count }: { count: number }) {
  const { t, formatNumber } = useMessages()
  return count < readsListMax ? null : (
    <p className={styles.note}>{t('reads.more', { count: formatNumber(count) })}</p>
  )
}

export default page({ View: ReadsView })
