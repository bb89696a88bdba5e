import type { Attributes, IOptions } from 'sanitize-html'
import { whenUsed } from '../../platform/when-used.ts'

const sanitizeHtml = whenUsed((require) => require('sanitize-html') as typeof import('sanitize-html'))

/** Formats without an element are stored as classes, because the page's policy forbids style attributes. */
const formatClasses = [
  'ql-align-*',
  'ql-indent-*',
  'ql-size-*',
  'ql-font-*',
  'ql-direction-rtl',
  'ql-color-*',
  'ql-bg-*',
  'ql-syntax',
]
const blocks = ['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'ul', 'ol', 'li', 'div']
const inlineTags = ['strong', 'b', 'em', 'i', 'u', 's', 'del', 'code', 'sub', 'sup', 'span', 'a', 'br']
const media = ['img', 'iframe', 'video']
const depthMax = 40

const videoHost = 'www.youtube-nocookie.com'

/**
 * Returns a YouTube player's address at the host that sets no cookies before playing, the only one that the page's
 * policy allows.
 */
function playerAddress(source = ''): string {
  const id = /^https:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/([\w-]{11})(?:[?#]|$)/.exec(source)?.[1]
  return id ? `https://${videoHost}/embed/${id}` : ''
}

/** Returns an allowed link target, as browsers read it: web and email addresses, this site, or a place in the post. */
function linkAddress(given = ''): string {
  const address = given.trim().replaceAll(/[\p{Z}"<>`]/gu, (character) => encodeURIComponent(character))
  return /^(https?:\/\/[^/\\]|mailto:|\/(?![/\\])|#)[^\p{Cc}\\]*$/iu.test(address) ? address : ''
}

/** Widths of one stored picture, and how wide a post shows it. */
const ownPictures =
  /^\/assets\/media\/news\/[0-9a-f]{32}-\d{1,4}\.webp \d{1,4}w(, \/assets\/media\/news\/[0-9a-f]{32}-\d{1,4}\.webp \d{1,4}w){0,4}$/
const shownWidth = '(min-width: 48rem) 42rem, 100vw'

/** Returns the attributes of a picture; other widths only if they are this site's own. */
function withOwnWidths(given: Attributes): Attributes {
  const attributes = { ...given }
  delete attributes['srcset']
  delete attributes['sizes']
  const srcset = given['srcset'] ?? ''
  return ownPictures.test(srcset) ? { ...attributes, srcset, sizes: shownWidth } : attributes
}

/** Allows exactly what the editor's toolbar can create; other elements are removed, but their text is kept. */
const options: IOptions = {
  allowedTags: [...blocks, ...inlineTags, ...media],
  allowedAttributes: {
    ...Object.fromEntries(blocks.map((tag) => [tag, ['dir']])),
    a: ['href', 'title', 'rel', 'target'],
    img: ['src', 'srcset', 'sizes', 'alt', 'title', 'width', 'height', 'loading'],
    iframe: ['src', 'title', 'allowfullscreen', 'loading', 'referrerpolicy'],
    video: ['src', 'controls', 'preload', 'title'],
  },
  allowedClasses: { '*': formatClasses },
  allowedSchemes: ['https', 'http', 'mailto'],
  allowedSchemesByTag: { img: ['https'], video: ['https'], iframe: ['https'] },
  allowProtocolRelative: false,
  allowedIframeHostnames: [videoHost],
  nestingLimit: depthMax,
  disallowedTagsMode: 'discard',
  transformTags: {
    a: (tagName, { href, ...attributes }) => {
      const address = linkAddress(href)
      return {
        tagName,
        attribs: {
          ...(address && { href: address }),
          ...attributes,
          rel: 'noopener noreferrer nofollow',
          target: '_blank',
        },
      }
    },
    img: (tagName, attributes) => ({
      tagName,
      attribs: {
        ...withOwnWidths(attributes),
        alt: attributes['alt'] ?? '',
        loading: 'lazy',
      },
    }),
    iframe: (tagName, attributes) => ({
      tagName,
      attribs: {
        ...attributes,
        src: playerAddress(attributes['src']),
        loading: 'lazy',
        referrerpolicy: 'strict-origin-when-cross-origin',
      },
    }),
    video: (tagName, attributes) => ({
      tagName,
      attribs: { ...attributes, controls: '', preload: 'metadata' },
    }),
  },
  // Browsers ignore the content of an iframe element, and each round of parsing would escape it once more.
  textFilter: (text, tagName) => (tagName === 'iframe' ? '' : text),
  // A frame or picture whose address was removed would be left empty.
  exclusiveFilter: ({ tag, attribs }) => media.includes(tag) && !attribs['src'],
}

/** Removing an element can leave nesting that HTML parses differently; another pass writes it as parsed. */
const passesMax = 5

/** Returns sanitized, well-formed HTML. Sanitizing its own output changes nothing. */
export function sanitize(html: string): string {
  let clean = html
  for (let pass = 0; pass < passesMax; pass += 1) {
    const next = sanitizeHtml()(clean, options).trim()
    if (next === clean) break
    clean = next
  }
  return clean
}

/** Whether sanitized HTML has neither text nor media. In it, every bracket of a text or attribute is escaped. */
export const isEmptyHtml = (html: string): boolean =>
  !/<(img|iframe|video)\b/.test(html) && html.replaceAll(/<[^>]*>/g, '').trim() === ''
