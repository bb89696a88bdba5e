import { signOf, type Sign } from './clean-text.ts'
import { likeSign, nameWithin } from './classify-host.ts'
import { networks, type Handle } from './networks.ts'
import { judged, withoutSigns, type Judged, type Known } from './official-channel.ts'
import { isNear, skeletonOf } from './skeleton.ts'

/**
 * An account name with or without its network. Without it, the name may be ours in one network and anyone's in another.
 */
export type PastedHandle = Omit<Handle, 'network'> & { network: string | undefined }

export function classifyHandle(pasted: PastedHandle, known: Known): Judged {
  const { network, space, name } = pasted
  const keys = keysOf(pasted)
  const same = known.handles.filter((each) => each.name === name && !isCode(each))
  const ours = known.handles.find(
    (each) => each.network === network && each.space === space && each.name === name,
  )
  if (ours) return judged('handle', { keys, official: ours.entry })
  // The text doesn't say on which network the name was found, where it may belong to anyone.
  const there = network === undefined && same.find((each) => each.space === '')
  if (there) return judged('handle', { keys, signs: [signOf('only_there', '', there.entry.value)] })
  const likeness = isCode(pasted)
    ? likenessOfCode(pasted, known)
    : likenessOf(name, same[0]?.entry.value, known)
  return judged('handle', { keys, signs: likeness ? [likeness] : [] })
}

/** Invite codes contain no names: one resembles ours only if a letter or its case differs. */
function likenessOfCode({ network, space, name }: PastedHandle, known: Known): Sign | undefined {
  const codes = known.handles.filter((each) => each.network === network && each.space === space)
  const alike = codes.find(({ name: ours }) => skeletonOf(ours) === skeletonOf(name))
  if (alike) return signOf('look_alike', name, alike.entry.value)
  const near = codes.find(({ name: ours }) => ours.length >= 4 && isNear(ours, name, 1))
  return near && signOf('near_miss', name, near.entry.value)
}

const isCode = ({ network, space }: Omit<PastedHandle, 'name'>): boolean =>
  (network === 'discord' && space === '') || space === 'code'

function likenessOf(name: string, elsewhere: string | undefined, known: Known): Sign | undefined {
  if (elsewhere !== undefined) return signOf('other_network', name, elsewhere)
  const seen = skeletonOf(withoutSigns(name))
  const alike = known.handles.find(({ skeleton }) => skeleton === seen)
  if (alike) return signOf(likeSign(name), name, alike.entry.value)
  const near = known.handles.find(
    ({ skeleton }) => skeleton.length >= 4 && isNear(skeleton, seen, skeleton.length >= 8 ? 2 : 1),
  )
  if (near) return signOf('near_miss', name, near.entry.value)
  if (known.names.includes(seen)) return signOf('added_words', name, seen)
  const within = nameWithin(skeletonOf(name.replaceAll(/[._]/g, '-')), known)
  return within === undefined ? undefined : signOf('added_words', name, within)
}

export const keyOfHandle = ({ network, space, name }: Handle): string =>
  `handle:${network}:${space === '' ? '' : `${space}/`}${name}`

const keysOf = ({ network, space, name }: PastedHandle): string[] =>
  (network === undefined ? networks : [network]).map((each) => keyOfHandle({ network: each, space, name }))
