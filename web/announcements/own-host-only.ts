/** A film or picture on another host. `address` is where people can open it. Both texts are HTML-escaped. */
type ExternalMedia = { address: string; title: string; youtubeId?: string }

/** Returns the replacement. A link cannot contain another link. */
type InItsPlace = (media: ExternalMedia, isInLink: boolean) => string
export type Elsewhere = { film: InItsPlace; picture: InItsPlace }

const player = /^https:\/\/www\.youtube-nocookie\.com\/embed\/([\w-]{11})(?:[?#]|$)/
/** A path of this site. Browsers read `//` and `/\` as the start of another host. */
const ownPath = /^\/(?![/\\])/
const piece = /<(\/?)(a|img|iframe|video|source)\b([^<>]*)>(?:[^<>]*<\/(?:iframe|video)>)?/gi

/**
 * Transforms the sanitized HTML of a post so that nothing is loaded from other hosts, which would otherwise learn who
 * reads it. Films and pictures on other hosts are replaced by what `elsewhere` renders for them.
 */
export function ownHostOnly(html: string, elsewhere: Elsewhere): string {
  let isInLink = false
  return html.replaceAll(piece, (tag: string, closing: string, name: string, attributes: string) => {
    const element = name.toLowerCase()
    if (element === 'a') {
      isInLink = closing === ''
      return tag
    }
    if (closing) return ''
    const read = (attribute: string) =>
      new RegExp(`\\s${attribute}="([^"]*)"`, 'i').exec(attributes)?.[1] ?? ''
    const address = read('src')
    if (ownPath.test(address) && element !== 'iframe') return tag
    if (element === 'img') return elsewhere.picture({ address, title: read('alt') }, isInLink)
    const youtubeId = player.exec(address)?.[1]
    if (youtubeId) {
      const watched = `https://www.youtube.com/watch?v=${youtubeId}`
      return elsewhere.film({ address: watched, title: read('title'), youtubeId }, isInLink)
    }
    return element === 'video' ? elsewhere.film({ address, title: read('title') }, isInLink) : ''
  })
}
