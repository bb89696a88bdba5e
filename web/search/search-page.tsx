import type { ReactNode } from 'react'
import { searchLengthMax } from '#contract/platform/patterns.ts'
import {
  type Passage,
  type SearchAnswer,
  type SearchResult,
  searchSite,
} from '#contract/publishing/search.ts'
import { WovenBand } from '../kernel/brand/woven-band.tsx'
import { FormattedMessage, useMessages } from '../kernel/i18n/messages.tsx'
import { SiteSearch } from '../kernel/layout/site-search.tsx'
import { page, type LoadContext, type PageProps } from '../kernel/routes/page.ts'
import { labelOf, pathTo, type RouteName } from '../kernel/routes/routes.ts'
import { useShortcutSwitch } from '../kernel/shortcuts/use-shortcuts.ts'
import { useInBrowser } from '../kernel/state/use-in-browser.ts'
import { Empty } from '../kernel/ui/empty.tsx'
import { Checkbox } from '../kernel/ui/field.tsx'
import { PageHero } from '../kernel/ui/page-hero.tsx'
import styles from './search.module.css'

type SearchData = {
  q: string
  /** Whether only the beginning of the query was searched, because it was too long. */
  isCut: boolean
  /** Null without a query. */
  answer: SearchAnswer | null
}

/** Whether the query contains a letter or digit. Punctuation alone can't be searched. */
const isSearchable = (q: string): boolean => /[\p{L}\p{N}]/u.test(q)

async function load({ call, language, query }: LoadContext): Promise<SearchData> {
  const given = (query.get('q') ?? '').replaceAll(/\p{Cc}/gu, ' ').trim()
  const q = given.slice(0, searchLengthMax).toWellFormed().trim()
  const answer = isSearchable(q) ? await call(searchSite, { query: { language, q } }) : null
  return { q, isCut: given.length > searchLengthMax, answer }
}

function SearchView({ data: { q, isCut, answer } }: PageProps<SearchData>) {
  const { t } = useMessages()
  return (
    <>
      <PageHero
        size="low"
        heading={t('search.heading')}
        lead={answer ? undefined : t('search.lead')}
        drawing={<WovenBand className={styles.band} />}
      >
        <div className={styles.form}>
          <SiteSearch q={q} />
          {isCut && <p className={styles.note}>{t('search.cut', { max: searchLengthMax })}</p>}
        </div>
      </PageHero>
      <div className={styles.page}>
        {answer && answer.results.length > 0 && <Results q={q} answer={answer} />}
        {answer?.results.length === 0 && <Nothing q={q} />}
        {!answer && <Start isUnsearchable={q !== ''} />}
        <KeySwitch />
      </div>
    </>
  )
}

function Results({ q, answer: { results, isPartial, hasMorePosts } }: { q: string; answer: SearchAnswer }) {
  const { t } = useMessages()
  return (
    <section aria-labelledby="results-heading">
      <h2 id="results-heading" className={styles.found}>
        {isPartial ? (
          <FormattedMessage k="search.partial" values={{ q }} tags={isolated} />
        ) : (
          <FormattedMessage k="search.results" values={{ q, count: results.length }} tags={isolated} />
        )}
      </h2>
      <ol className={styles.results}>
        {results.map((result) => (
          <Result key={result.address} result={result} />
        ))}
      </ol>
      {hasMorePosts && (
        <p>
          <a href={`${pathTo('news')}?${new URLSearchParams({ q })}`}>{t('search.morePosts')}</a>
        </p>
      )}
    </section>
  )
}

/** The query's text direction is unknown and must not affect the rest of the sentence. */
const isolated = { query: (words: ReactNode) => <bdi>{words}</bdi> }

function Result({
  result: { kind, address, page: within, postedDate, title, text },
}: {
  result: SearchResult
}) {
  const { t, formatDate } = useMessages()
  return (
    <li className={styles.result}>
      <p className={styles.kind}>
        {t(`search.kind.${kind}`)}
        {within && <span>{within}</span>}
        {postedDate && <time dateTime={postedDate}>{formatDate(postedDate)}</time>}
      </p>
      <h3>
        <a href={address}>
          <Marked passage={title} />
        </a>
      </h3>
      {text.length > 0 && (
        <p>
          <Marked passage={text} />
        </p>
      )}
    </li>
  )
}

const Marked = ({ passage }: { passage: Passage }) =>
  passage.map(({ text, isHit }, at) => (isHit ? <mark key={at}>{text}</mark> : text))

function Nothing({ q }: { q: string }) {
  const { t } = useMessages()
  return (
    <Empty title={<FormattedMessage k="search.nothing" values={{ q }} tags={isolated} />}>
      <p>{t('search.nothing.hint')}</p>
      <p>
        <FormattedMessage
          k="search.nothing.ask"
          tags={{
            help: (words) => <a href={pathTo('help')}>{words}</a>,
            contact: (words) => <a href={pathTo('contact')}>{words}</a>,
          }}
        />
      </p>
    </Empty>
  )
}

const mainPages: readonly RouteName[] = [
  'help',
  'project',
  'news',
  'ambassadorProgram',
  'official',
  'contact',
]

function Start({ isUnsearchable }: { isUnsearchable: boolean }) {
  const { t } = useMessages()
  return (
    <section aria-labelledby="start-heading">
      {isUnsearchable && <p>{t('search.unsearchable')}</p>}
      <h2 id="start-heading" className={styles.found}>
        {t('search.pages')}
      </h2>
      <ul className={styles.pages}>
        {mainPages.map((name) => (
          <li key={name}>
            <a href={pathTo(name)}>{t(labelOf(name))}</a>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Turns the shortcut on or off, which WCAG 2.1.4 requires for single-character shortcuts. */
function KeySwitch() {
  const { t } = useMessages()
  const hasKeys = useInBrowser(() => true, false)
  const [isOn, setOn] = useShortcutSwitch()
  if (!hasKeys) return null
  return (
    <div className={styles.keys}>
      <Checkbox
        label={t('search.key')}
        help={t('search.key.help')}
        checked={isOn}
        onChange={({ target }) => setOn(target.checked)}
      />
    </div>
  )
}

export default page<SearchData>({
  load,
  head: ({ q }) => ({ isUnlisted: q !== '' }),
  View: SearchView,
})
