import type { LocalizedBrand } from '../../content/brand.tsx'
import type { PlainKey } from '../../i18n/message-key.ts'

/**
 * `label` is the message with the network's name. Networks without a message are shown under the name that the project
 * gives them.
 */
type Network = { name: string; href: string; label: PlainKey | null; icon: string }

/** Our own line drawings, 24 units wide, used instead of other companies' logos. */
const drawn: readonly Omit<Network, 'href'>[] = [
  {
    name: 'x',
    label: 'layout.social.x',
    icon: 'M4.5 4.5h3.4l11.6 15h-3.4zM19 4.5l-6.1 6.7M10.7 13.5 5 19.5',
  },
  {
    name: 'github',
    label: 'layout.social.github',
    icon: 'M9 20.6v-3c-2.7.6-3.5-1-4.3-2.1M15 20.6V17c0-1-.3-1.7-.9-2.1 2.9-.3 4.7-1.6 4.7-4.8 0-1.2-.4-2.2-1.2-3 .2-.6.4-1.7-.2-3.1-1.2 0-2.3.6-3.1 1.2a9 9 0 0 0-4.6 0C8.9 4.6 7.8 4 6.6 4c-.6 1.4-.4 2.5-.2 3.1-.8.8-1.2 1.8-1.2 3 0 3.2 1.8 4.5 4.7 4.8-.6.4-.9 1-.9 1.9',
  },
  {
    name: 'telegram',
    label: 'layout.social.telegram',
    icon: 'M20.6 4.4 3.4 11.1l5.3 2.1 2 6.4 3.1-3.7 4.6 3.4zM8.7 13.2 17 7.9l-6.3 7.6',
  },
  {
    name: 'wechat',
    label: 'layout.social.wechat',
    icon: 'M9.2 15.2c-.7 0-1.4-.1-2-.3L4.4 16.3l.7-2.5A5.2 5.2 0 0 1 3 9.7C3 6.6 5.8 4.2 9.2 4.2s6.1 2.3 6.3 5.2M15.6 10c-3 0-5.4 2-5.4 4.6s2.4 4.6 5.4 4.6c.6 0 1.2-.1 1.7-.2l2.4 1.2-.6-2.1A4.4 4.4 0 0 0 21 14.6C21 12 18.6 10 15.6 10zM7.3 8.3v.1M11.1 8.3v.1M14 13.3v.1M17.3 13.3v.1',
  },
  {
    name: 'youtube',
    label: 'layout.social.youtube',
    icon: 'M6.5 5.8h11A3.2 3.2 0 0 1 20.7 9v6a3.2 3.2 0 0 1-3.2 3.2h-11A3.2 3.2 0 0 1 3.3 15V9a3.2 3.2 0 0 1 3.2-3.2zM10.2 9.2v5.6l4.9-2.8z',
  },
  {
    name: 'linkedin',
    label: 'layout.social.linkedin',
    icon: 'M5.5 4h13A1.5 1.5 0 0 1 20 5.5v13a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 18.5v-13A1.5 1.5 0 0 1 5.5 4zM8 10.6V16M8 7.9v.1M11.5 16v-5.4M11.5 13c0-1.5 1-2.5 2.3-2.5S16 11.5 16 13v3',
  },
  {
    name: 'weibo',
    label: 'layout.social.weibo',
    icon: 'M10.3 9.4C6.6 9.8 3.3 12.6 3.3 15.3c0 2.6 3.1 4.5 6.9 4.5s7.2-2.1 7.2-4.6c0-1.3-.9-2.2-2.1-2.6.4-1 .4-1.9-.1-2.4-.8-.8-2.3-.5-3.7.2.3-.9.1-1.6-1.2-1zM9.9 13.3a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6zM15 4.3a5.7 5.7 0 0 1 5.6 7.3M15.3 7.4a2.6 2.6 0 0 1 2.3 3.2',
  },
]

/** For networks without a drawing of their own: two links of a chain. */
const link =
  'M10 13.6a4.2 4.2 0 0 0 6.3.4l2.9-2.9a4.2 4.2 0 0 0-5.9-5.9l-1.6 1.6M14 10.4a4.2 4.2 0 0 0-6.3-.4l-2.9 2.9a4.2 4.2 0 0 0 5.9 5.9l1.6-1.6'

const asName = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** Returns the networks where the brand has a profile: those with a drawing first, followed by the others by name. */
export function networksIn(social: LocalizedBrand['social']): readonly Network[] {
  const known = drawn.flatMap((network) => {
    const href = social[network.name]
    return href ? [{ ...network, href }] : []
  })
  const others = Object.keys(social)
    .filter((name) => !drawn.some((network) => network.name === name))
    .toSorted()
    .map((name) => ({ name: asName(name), href: social[name]!, label: null, icon: link }))
  return [...known, ...others]
}
