import type { OfficialAnswer, OfficialSign, OwnOrderFound } from '#contract/publishing/official.ts'
import { useBrand } from '../kernel/content/brand.tsx'
import { useMessages, FormattedMessage, type UsedMessages } from '../kernel/i18n/messages.tsx'
import { pathTo } from '../kernel/routes/routes.ts'
import { Facts, type Fact } from '../kernel/ui/description-list.tsx'
import styles from './official.module.css'
import { channelName } from './sign-labels.ts'

type Tone = 'official' | 'false' | 'disguised' | 'unknown'

/** The result of a check. It is shown as text only, without links. */
export function Answer({ answer, ownOrder }: { answer: OfficialAnswer; ownOrder?: OwnOrderFound | null }) {
  const messages = useMessages()
  const { t } = messages
  const { verdict, isDisguised } = answer
  // A match with the member's own order is more specific than the public result.
  const ofOrder = ownOrder && ofOrders[ownOrder.isAlike ? 'alike' : ownOrder.isOpen ? 'open' : 'closed']
  const tone = ofOrder?.tone ?? (verdict === 'unknown' && isDisguised ? 'disguised' : verdict)
  return (
    <section className={styles.answer} data-tone={tone} aria-labelledby="answer-heading">
      <p className={styles.mark} aria-hidden="true">
        {marks[tone]}
      </p>
      <h2 id="answer-heading" tabIndex={-1}>
        {t(ofOrder?.heading ?? `official.${tone}.heading`)}
      </h2>
      <p className={styles.verdict}>
        {ownOrder && ofOrder ? (
          <OwnOrder order={ownOrder} text={ofOrder.text} />
        ) : (
          <Verdict answer={answer} tone={tone} />
        )}
      </p>
      <Facts facts={factsOf(answer, messages)} />
      {answer.signs.length > 0 && (
        <>
          <h3>{t('official.seen')}</h3>
          <ul className={styles.signs}>
            {answer.signs.map(({ sign, detail, ours }) => (
              <li key={`${sign} ${detail}`}>
                {t(`official.sign.${sign}`, {
                  detail: ofLetters.has(sign) ? withCodePoints(detail, messages) : detail,
                  ours,
                })}
              </li>
            ))}
          </ul>
        </>
      )}
      <Advice answer={answer} tone={tone} />
    </section>
  )
}

const ofOrders = {
  open: { tone: 'official', heading: 'official.order.open.heading', text: 'official.order.open' },
  closed: { tone: 'unknown', heading: 'official.order.closed.heading', text: 'official.order.closed' },
  alike: { tone: 'disguised', heading: 'official.disguised.heading', text: 'official.order.alike' },
} as const

type OwnOrderProps = { order: OwnOrderFound; text: (typeof ofOrders)[keyof typeof ofOrders]['text'] }

function OwnOrder({ order: { reference, orderId }, text }: OwnOrderProps) {
  return (
    <FormattedMessage
      k={text}
      values={{ reference }}
      tags={{
        link: (messages) => (
          <a href={`${pathTo('account.accountDetails')}?${new URLSearchParams({ order: orderId })}`}>
            {messages}
          </a>
        ),
      }}
    />
  )
}

/** Distinguishes tones without color. */
const marks: Record<Tone, string> = { official: '✓', false: '✕', disguised: '!', unknown: '?' }

function Verdict({ answer, tone }: { answer: OfficialAnswer; tone: Tone }) {
  const { t, formatDate } = useMessages()
  const { known, kind } = answer
  if (known) return t('official.false.text', { date: formatDate(known.since), value: known.value })
  if (tone === 'unknown' && kind === 'text') return t('official.text.text')
  return t(`official.${tone === 'false' ? 'unknown' : tone}.text`)
}

/** The original text with every non-ASCII letter marked, because many of them look like ASCII letters. */
const code = (text: string) => (
  <code className={styles.pasted}>
    {text.split(/(\P{ASCII}+)/u).map((part, index) =>
      // oxlint-disable-next-line react/no-array-index-key -- the parts of one text
      index % 2 === 1 ? <mark key={index}>{part}</mark> : part,
    )}
  </code>
)

/** Returns the host in Punycode, if it differs from the displayed one. */
function asciiOf(host: string): string | undefined {
  const url = `https://${host}`
  if (!/\P{ASCII}/u.test(host) || !URL.canParse(url)) return undefined
  return new URL(url).hostname
}

const codePointsMax = 6

/** Appends code points, because look-alike letters differ only in their numbers. */
function withCodePoints(text: string, { addNote, joinNames }: UsedMessages): string {
  const letters = [...new Set(text.match(/\P{ASCII}/gu))].slice(0, codePointsMax)
  if (letters.length === 0) return text
  const numbers = letters.map(
    (letter) => `${letter} U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`,
  )
  return addNote(text, joinNames(numbers))
}
const ofLetters = new Set<OfficialSign>(['homograph', 'mixed_scripts'])

function factsOf(answer: OfficialAnswer, { t, addNote }: UsedMessages): Fact[] {
  const { shown, leadsTo, official, known, kind } = answer
  const ascii = leadsTo === null ? undefined : asciiOf(leadsTo)
  return [
    { name: 'pasted', label: t('official.pasted'), value: code(shown) },
    leadsTo !== null && {
      name: 'leadsTo',
      label: t(kind === 'email' ? 'official.domain' : 'official.leadsTo'),
      value: (
        <>
          {code(leadsTo)}
          {ascii !== undefined && <code className={styles.pasted}>{addNote('', ascii)}</code>}
        </>
      ),
    },
    official && {
      name: 'is',
      label: t('official.is'),
      value: t(`official.role.${official.role}`, { name: channelName(t, official.name) }),
    },
    official && { name: 'listed', label: t('official.listed'), value: code(official.value) },
    known?.note && { name: 'note', label: t('official.note'), value: known.note },
  ].filter((fact) => typeof fact === 'object' && fact !== null)
}

const writeWords = {
  false: 'official.advice.given',
  disguised: 'official.advice.report',
  unknown: 'official.advice.ask',
} as const

/** Calm advice, limited to what applies to the pasted text. */
function Advice({ answer, tone }: { answer: OfficialAnswer; tone: Tone }) {
  const { t } = useMessages()
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
            <FormattedMessage
              k={writeWords[tone]}
              values={{ email }}
              tags={{ link: (messages) => <a href={`mailto:${email}`}>{messages}</a> }}
            />
          </li>
        )}
      </ul>
    </>
  )
}
