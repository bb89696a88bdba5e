import { signOf, type Sign } from './clean-text.ts'
import type { Judged } from './judged.ts'
import { nameWithin } from './judge-host.ts'
import { networks, type Handle } from './networks.ts'
import { withoutSigns, type Known } from './ours.ts'
import { isNear, skeletonOf } from './skeleton.ts'

/** A name with or without its network. Without, it may be ours in one and anybody's in another. */
export function judgeHandle(
  { network, name, isCode }: Handle | (Omit<Handle, 'network'> & { network: undefined }),
  known: Known,
): Judged {
  const base = { kind: 'handle' as const, leadsTo: null, keys: keysOf(network, name) }
  const same = known.handles.filter((ours) => ours.name === name)
  const ours = same.find((each) => network === undefined || each.network === network)
  if (ours)
    return {
      ...base,
      official: ours.entry,
      signs: network === undefined ? [signOf('only_there', '', ours.entry.value)] : [],
    }
  const likeness = isCode ? undefined : likenessOf(name, same[0]?.entry.value, known)
  return { ...base, official: null, signs: likeness ? [likeness] : [] }
}

function likenessOf(name: string, elsewhere: string | undefined, known: Known): Sign | undefined {
  if (elsewhere !== undefined) return signOf('other_network', name, elsewhere)
  const seen = skeletonOf(withoutSigns(name))
  const alike = known.handles.find(({ skeleton }) => skeleton === seen)
  if (alike) {
    const isForeign = /[^\p{ASCII}]/u.test(name)
    return signOf(isForeign ? 'homograph' : 'look_alike', name, alike.entry.value)
  }
  const near = known.handles.find(
    ({ skeleton }) => skeleton.length >= 4 && isNear(skeleton, seen, skeleton.length >= 8 ? 2 : 1),
  )
  if (near) return signOf('near_miss', name, near.entry.value)
  if (known.names.includes(seen)) return signOf('added_words', name, seen)
  const within = nameWithin(skeletonOf(name.replaceAll(/[._]/g, '-')), known)
  return within === undefined ? undefined : signOf('added_words', name, within)
}

export const keysOf = (network: string | undefined, name: string): string[] =>
  (network === undefined ? networks : [network]).map((each) => `handle:${each}:${name}`)
