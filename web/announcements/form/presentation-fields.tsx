import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Announcement, BylineChoice } from '#contract/publishing/announcements.ts'
import { MoreMessages } from '../../kernel/content/more-messages.tsx'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { useSession } from '../../kernel/session/session.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { FieldNotes, Select } from '../../kernel/ui/field.tsx'
import { UploadPanel } from '../editor/panels.tsx'
import styles from './presentation-fields.module.css'
import type { Presentation } from '../autosaves/autosave.ts'

type Props = {
  /** The stored post, unless it is new. */
  post: Pick<Announcement, 'picture' | 'byline'> | undefined
  /** The text in the form. */
  content: string
  presentation: Presentation
  onChange: (change: Presentation) => void
}

/** The author whom the post names, and the picture on its card. Both are optional. */
export const PresentationFields = ({ post, content, presentation, onChange }: Props) => (
  <>
    <BylineField
      stored={post?.byline ?? null}
      chosen={presentation.byline}
      onChange={(byline) => onChange({ byline })}
    />
    <CardField
      stored={post?.picture.origin === 'chosen' ? post.picture : null}
      content={content}
      chosen={presentation.card}
      onChange={(card) => onChange({ card })}
    />
  </>
)

function BylineField({
  stored,
  chosen,
  onChange,
}: {
  stored: Announcement['byline']
  chosen: BylineChoice | undefined
  onChange: (byline: BylineChoice) => void
}) {
  const { t } = useMessages()
  const { member } = useSession()
  const own = member?.displayName ?? ''
  // If the stored author has the same name, replacing them would make no difference to readers.
  const offersSelf = own !== '' && own !== stored?.name
  const offered = ['none', ...(stored ? ['keep'] : []), ...(offersSelf ? ['self'] : [])]
  // An autosaved choice may no longer be offered.
  const choice = chosen && offered.includes(chosen) ? chosen : stored ? 'keep' : 'none'
  return (
    <Select
      label={t('newsroom.byline')}
      help={t(own === '' ? 'newsroom.byline.nameless' : 'newsroom.byline.help')}
      optional={t('forms.optional')}
      value={choice}
      onChange={(event) => onChange(event.target.value as BylineChoice)}
    >
      <option value="none">{t('newsroom.byline.none')}</option>
      {stored && <option value="keep">{stored.name}</option>}
      {offersSelf && <option value="self">{t('newsroom.byline.self', { name: own })}</option>}
    </Select>
  )
}

type Card = { src: string; alt: string }

const stored = /^\/assets\/media\/news\/[0-9a-f]{32}-\d{1,4}\.webp$/

/** Returns the uploaded pictures in a text that have a description. The HTML is only parsed, never shown. */
function picturesIn(html: string): Card[] {
  if (!html.includes('/assets/media/news/')) return []
  const images = [...html.matchAll(/<img\b[^<>]*>/g)].map(([tag]) => {
    const value = (name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
    return { src: value('src'), alt: decode(value('alt')).trim() }
  })
  return images.filter(({ src, alt }) => stored.test(src) && alt !== '')
}

const withoutRepeats = (cards: readonly Card[]): Card[] => [
  ...new Map(cards.map(({ src, alt }) => [src, { src, alt }])).values(),
]

const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }
const decode = (text: string): string =>
  text.replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => entities[entity] ?? entity)

type CardOptionProps = { name: string; card: Card | null; isChosen: boolean; onChoose: () => void }

function CardOption({ name, card, isChosen, onChoose }: CardOptionProps) {
  const { t } = useMessages()
  return (
    <label className={styles.option}>
      <input type="radio" name={name} checked={isChosen} onChange={onChoose} />
      {card && <img src={card.src} alt="" width={96} height={54} loading="lazy" />}
      {card ? card.alt : t('newsroom.card.automatic')}
    </label>
  )
}

type CardFieldProps = {
  stored: Card | null
  content: string
  /** Undefined until the editor changes it. */
  chosen: Card | null | undefined
  onChange: (card: Card | null) => void
}

function CardField({ stored, content, chosen, onChange }: CardFieldProps) {
  const { t } = useMessages()
  const id = useId()
  /** Pictures that were chosen before and may not be in the text. */
  const [uploaded, setUploaded] = useState<readonly Card[]>([])
  const [isUploading, setIsUploading] = useState(false)
  const ref = useRef<HTMLFieldSetElement>(null)
  // The focus would be lost with the panel, so it moves to the chosen picture.
  function close(card?: Card) {
    flushSync(() => {
      setIsUploading(false)
      if (!card) return
      setUploaded([...uploaded, card])
      onChange(card)
    })
    ref.current?.querySelector<HTMLElement>('input:checked')?.focus()
  }
  const current = chosen === undefined ? stored : chosen
  // A picture that was uploaded before the page was opened is known only as the autosaved choice.
  const others = chosen ? [...uploaded, chosen] : uploaded
  const options = withoutRepeats([...(stored ? [stored] : []), ...picturesIn(content), ...others])
  return (
    <fieldset ref={ref} className={styles.card} aria-describedby={`${id}-help`}>
      <legend>
        {t('newsroom.card')} <span>{t('forms.optional')}</span>
      </legend>
      {[null, ...options].map((card) => (
        <CardOption
          key={card?.src ?? ''}
          name={id}
          card={card}
          isChosen={current?.src === card?.src}
          onChoose={() => {
            setUploaded(others)
            onChange(card)
          }}
        />
      ))}
      {isUploading ? (
        <MoreMessages namespaces={['editor']}>
          <UploadPanel
            label={t('newsroom.card.upload')}
            applyLabel={t('newsroom.card.use')}
            file={null}
            onUploaded={({ src }, alt) => close({ src, alt })}
            onClose={() => close()}
          />
        </MoreMessages>
      ) : (
        <div>
          <Button kind="quiet" onClick={() => setIsUploading(true)}>
            {t('newsroom.card.upload')}
          </Button>
        </div>
      )}
      <FieldNotes id={id} help={t('newsroom.card.help')} />
    </fieldset>
  )
}
