import { useMemo, useState, type ComponentType, type MouseEvent, memo } from 'react'
import { createPortal } from 'react-dom'
import type { Language } from '#contract/platform/fields.ts'
import { htmlLanguage } from '../kernel/i18n/language.ts'
import { useMessages, type UsedMessages } from '../kernel/i18n/messages.tsx'
import content from './content.module.css'
import { ownHostOnly, type Elsewhere } from './own-host-only.ts'
import styles from './post-body.module.css'
import type { FilmProps } from './post-film.tsx'
import { trustedHtml } from '../kernel/ui/trusted-html.ts'

type Playing = FilmProps & { Film: ComponentType<FilmProps>; place: HTMLElement }

/**
 * The text of a post as readers see it. Nothing is loaded from other hosts: a YouTube film is a poster of our own, and
 * its player loads on click. Without JavaScript the poster is a link to the film.
 */
export function PostBody({ html, language, id }: { html: string; language: Language; id?: string }) {
  const { t, language: spoken } = useMessages()
  const [playing, setPlaying] = useState<Playing>()
  const lang = htmlLanguage[language]
  const shown = useMemo(
    () => ownHostOnly(html, linksFor(t, htmlLanguage[spoken], lang)),
    [html, t, spoken, lang],
  )

  async function play(event: MouseEvent) {
    const poster = event.target instanceof Element ? event.target.closest<HTMLElement>('a[data-film]') : null
    const place = poster?.parentElement
    if (!place || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    const address = poster.getAttribute('href') ?? ''
    try {
      const { PostFilm: Film } = await import('./post-film.tsx')
      setPlaying({ Film, place, address, title: poster.dataset['film'] ?? '' })
    } catch {
      location.assign(address)
    }
  }
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- only listens to the links inside
    <div id={id} className={content.content} onClick={(event) => void play(event)}>
      <SanitizedHtml html={shown} lang={lang} />
      {playing?.place.isConnected &&
        createPortal(
          <playing.Film address={playing.address} title={playing.title} />,
          playing.place,
          playing.address,
        )}
    </div>
  )
}

/** Labels are in the language of the page, which may differ from that of the post. */
function linksFor(t: UsedMessages['t'], labels: string, ofPost: string): Elsewhere {
  const link = (address: string, attributes: string, inside: string) =>
    `<a href="${address}" target="_blank" rel="noopener noreferrer nofollow" lang="${labels}"${attributes}>${inside}</a>`
  const quoted = (title: string) => `<span lang="${ofPost}">${title}</span>`
  return {
    film: ({ address, title, youtubeId }, isInLink) => {
      const play = title ? t('news.film.play', { title: quoted(title) }) : t('news.film.playUntitled')
      if (!youtubeId) return isInLink ? play : link(address, '', play)
      const poster = link(
        address,
        ` data-film="${title}"`,
        `<strong>${play}</strong> <small>${t('news.film.hint')}</small>`,
      )
      return `${isInLink ? '</a>' : ''}<span class="${styles.film}" data-ground="dark">${poster}</span>`
    },
    picture: ({ address, title }, isInLink) => {
      const caption = t('news.picture.elsewhere', { title: quoted(title || address) })
      return isInLink ? caption : link(address, '', caption)
    },
  }
}

/**
 * HTML that the server has sanitized, such as the content of a post. Never use it for visitors' input. The HTML is
 * written only when it changes, so that elements inserted into it, such as a player, stay.
 */
export const SanitizedHtml = memo(function SanitizedHtml({
  html,
  className,
  lang,
}: {
  html: string
  className?: string
  lang?: string
}) {
  // React rewrites the content for every new object, so the object is reused while its HTML is the same.
  const trusted = useMemo(() => trustedHtml(html), [html])
  // oxlint-disable-next-line react/no-danger -- the only use: sanitized by the server, validated by the Trusted Types policy
  return <div className={className} lang={lang} dangerouslySetInnerHTML={{ __html: trusted }} />
})
