import type { OfficialAnswer, OfficialSign, OwnOrderFound } from '#contract/official.ts'
import { useBrand } from '../content/brand.tsx'
import { useWords, Words } from '../i18n/words.tsx'
import { pathTo } from '../routes/routes.ts'
import { Facts, type Fact } from '../ui/facts.tsx'
import styles from './official.module.css'
import { roleWords, sayName, signWords } from './sign-words.ts'

type Tone = 'official' | 'false' | 'disguised' | 'unknown'

const toneOf = ({ verdict, isDisguised }: OfficialAnswer): Tone =>
  verdict === 'unknown' && isDisguised ? 'disguised' : verdict

/** What a visitor is told about what they pasted. All of it is text: nothing of it can be followed. */
export function Answer({
  answer,
  ownOrder = null,
}: {
  answer: OfficialAnswer
  ownOrder?: OwnOrderFound | null
}) {
  const { t } = useWords()
  const tone = ownOrder ? toneOfOrder(ownOrder) : toneOf(answer)
  return (
    <section className={styles.answer} data-tone={tone} aria-labelledby="answer-heading">
      <p className={styles.mark} aria-hidden="true">
        {marks[tone]}
      </p>
      <h2 id="answer-heading" tabIndex={-1}>
        {t(ownOrder ? orderWords[orderStateOf(ownOrder)].heading : headings[tone])}
      </h2>
      <p className={styles.verdict}>
        {ownOrder ? <OwnOrder order={ownOrder} /> : <Verdict answer={answer} tone={tone} />}
      </p>
      <Facts facts={factsOf(answer, t)} />
      {answer.signs.length > 0 && (
        <>
          <h3>{t('official.seen')}</h3>
          <ul className={styles.signs}>
            {answer.signs.map(({ sign, detail, ours }) => (
              <li key={`${sign} ${detail}`}>
                {t(signWords[sign], { detail: ofLetters.has(sign) ? withCodePoints(detail) : detail, ours })}
              </li>
            ))}
          </ul>
        </>
      )}
      <Advice answer={answer} tone={tone} />
    </section>
  )
}

const orderStateOf = ({ isAlike, isOpen }: OwnOrderFound) => (isAlike ? 'alike' : isOpen ? 'open' : 'closed')
/** What is known of a member's own order says more than what is known to everybody. */
const toneOfOrder = (order: OwnOrderFound): Tone =>
  ({ open: 'official', closed: 'unknown', alike: 'disguised' })[orderStateOf(order)] as Tone
const orderWords = {
  open: { heading: 'official.order.open.heading', text: 'official.order.open' },
  closed: { heading: 'official.order.closed.heading', text: 'official.order.closed' },
  alike: { heading: 'official.disguised.heading', text: 'official.order.alike' },
} as const

function OwnOrder({ order }: { order: OwnOrderFound }) {
  const { reference, orderId } = order
  return (
    <Words
      k={orderWords[orderStateOf(order)].text}
      values={{ reference }}
      tags={{
        link: (words) => (
          <a href={`${pathTo('account.accountDetails')}?${new URLSearchParams({ order: orderId })}`}>
            {words}
          </a>
        ),
      }}
    />
  )
}

const headings = {
  official: 'official.official.heading',
  false: 'official.false.heading',
  disguised: 'official.disguised.heading',
  unknown: 'official.unknown.heading',
} as const
const texts = {
  official: 'official.official.text',
  disguised: 'official.disguised.text',
  unknown: 'official.unknown.text',
} as const

/** Told apart without colour as well. */
const marks: Record<Tone, string> = { official: '✓', false: '✕', disguised: '!', unknown: '?' }

function Verdict({ answer, tone }: { answer: OfficialAnswer; tone: Tone }) {
  const { t, formatDate } = useWords()
  const { known, kind } = answer
  if (known) return t('official.false.text', { date: formatDate(known.since), value: known.value })
  if (tone === 'unknown' && kind === 'text') return t('official.text.text')
  return t(texts[tone === 'false' ? 'unknown' : tone])
}

/** As it is, with what no plain letter is marked: most of it looks like one. */
const code = (text: string) => (
  <code className={styles.pasted}>
    {text.split(/(\P{ASCII}+)/u).map((part, index) =>
      // oxlint-disable-next-line react/no-array-index-key -- the parts of one text
      index % 2 === 1 ? <mark key={index}>{part}</mark> : part,
    )}
  </code>
)

/** The host as machines write it, where that is not how it looks. */
function asciiOf(host: string): string | undefined {
  const url = `https://${host}`
  if (!/\P{ASCII}/u.test(host) || !URL.canParse(url)) return undefined
  return new URL(url).hostname
}

const codePointsMax = 6

/** Letters that look like others are told apart by their numbers alone. */
function withCodePoints(text: string): string {
  const letters = [...new Set(text.match(/\P{ASCII}/gu))].slice(0, codePointsMax)
  if (letters.length === 0) return text
  const numbers = letters.map(
    (letter) => `${letter} U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`,
  )
  return `${text} (${numbers.join(', ')})`
}
const ofLetters = new Set<OfficialSign>(['homograph', 'mixed_scripts'])

function factsOf(answer: OfficialAnswer, t: ReturnType<typeof useWords>['t']): Fact[] {
  const { shown, leadsTo, official, known, kind } = answer
  const ascii = leadsTo === null ? undefined : asciiOf(leadsTo)
  return [
    { name: 'pasted', label: t('official.pasted'), value: code(shown) },
    ...(leadsTo === null
      ? []
      : [
          {
            name: 'leadsTo',
            label: t(kind === 'email' ? 'official.domain' : 'official.leadsTo'),
            value: (
              <>
                {code(leadsTo)}
                {ascii !== undefined && (
                  <>
                    {' '}
                    <code className={styles.pasted}>({ascii})</code>
                  </>
                )}
              </>
            ),
          },
        ]),
    ...(official
      ? [
          {
            name: 'is',
            label: t('official.is'),
            value: t(roleWords[official.role], { name: sayName(t, official.name) }),
          },
          { name: 'listed', label: t('official.listed'), value: code(official.value) },
        ]
      : []),
    ...(known?.note ? [{ name: 'note', label: t('official.note'), value: known.note }] : []),
  ]
}

const writeWords = {
  false: 'official.advice.given',
  disguised: 'official.advice.report',
  unknown: 'official.advice.ask',
} as const

/** Calm, and only what fits what was pasted. */
function Advice({ answer, tone }: { answer: OfficialAnswer; tone: Tone }) {
  const { t } = useWords()
  const { email } = useBrand()
  const { kind } = answer
  return (
    <>
      <h3>{t('official.advice')}</h3>
      <ul className={styles.advice}>
        {kind === 'coin' && <li>{t('official.advice.coin')}</li>}
        {kind === 'email' && <li>{t('official.advice.mail')}</li>}
        {kind === 'phone' && <li>{t('official.advice.phone')}</li>}
        {tone !== 'official' && kind !== 'coin' && kind !== 'phone' && <li>{t('official.advice.type')}</li>}
        <li>{t('official.advice.never')}</li>
        {tone !== 'official' && (
          <li>
            <Words
              k={writeWords[tone]}
              values={{ email }}
              tags={{ link: (words) => <a href={`mailto:${email}`}>{words}</a> }}
            />
          </li>
        )}
      </ul>
    </>
  )
}
