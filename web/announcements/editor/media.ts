import { mergeAttributes, Node } from '@tiptap/core'

const visibleAttributes = (...names: string[]) =>
  Object.fromEntries(
    names.map((name) => [
      name,
      { default: null, parseHTML: (element: HTMLElement) => element.getAttribute(name) },
    ]),
  )

/** An inline picture, with the sizes that the server reports. */
export const Picture = Node.create({
  name: 'picture',
  group: 'inline',
  inline: true,
  draggable: true,
  addAttributes: () => visibleAttributes('src', 'srcset', 'sizes', 'alt', 'title', 'width', 'height'),
  parseHTML: () => [{ tag: 'img[src]' }],
  renderHTML: ({ HTMLAttributes }) => ['img', mergeAttributes(HTMLAttributes, { loading: 'lazy' })],
})

/** A film: a YouTube player or a file. */
export const Film = Node.create({
  name: 'film',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({
    ...visibleAttributes('src', 'title'),
    kind: { default: 'iframe', parseHTML: (element) => element.tagName.toLowerCase(), rendered: false },
  }),
  parseHTML: () => [{ tag: 'iframe[src]' }, { tag: 'video[src]' }],
  // While editing, nothing is requested from the film's host.
  addNodeView:
    () =>
    ({ node }) => {
      const dom = document.createElement('div')
      dom.dataset['film'] = node.attrs['kind'] as string
      dom.textContent = `▶ ${(node.attrs['title'] as string | null) ?? (node.attrs['src'] as string)}`
      return { dom }
    },
  renderHTML: ({ node, HTMLAttributes }) =>
    node.attrs['kind'] === 'video'
      ? ['video', mergeAttributes(HTMLAttributes, { controls: '', preload: 'metadata' })]
      : [
          'iframe',
          mergeAttributes(HTMLAttributes, {
            allowfullscreen: '',
            loading: 'lazy',
            referrerpolicy: 'strict-origin-when-cross-origin',
          }),
        ],
})

const idOfYoutube =
  /^https?:\/\/(?:(?:www\.|m\.)?youtube(?:-nocookie)?\.com\/(?:watch\?(?:[^#]*&)?v=|embed\/|shorts\/|live\/)|youtu\.be\/)([\w-]{11})(?![\w-])/

/** Returns what a typed address plays: YouTube's player, a film file on this site, or nothing. */
export function filmAt(typed: string, origin: string): { kind: 'iframe' | 'video'; src: string } | null {
  const address = typed.trim()
  const id = idOfYoutube.exec(address)?.[1]
  if (id) return { kind: 'iframe', src: `https://www.youtube-nocookie.com/embed/${id}` }
  const url = URL.parse(address, origin)
  const isFile = url?.origin === origin && /\.(mp4|webm|m4v|mov)$/i.test(url.pathname)
  return isFile ? { kind: 'video', src: url.pathname } : null
}

/** Returns the link target if it is allowed: a web or email address, or a page of this site. */
export function linkAt(typed: string): string | null {
  const address = typed.trim()
  if (/^(https?:\/\/[^\s]+|mailto:[^\s@]+@[^\s@]+|\/(?!\/)[^\s]*)$/i.test(address)) return address
  if (/^[^\s@/]+@[^\s@/]+\.[^\s@/]+$/.test(address)) return `mailto:${address}`
  return /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+([/?#]\S*)?$/u.test(address) ? `https://${address}` : null
}
