import { signOf, type Sign } from './clean-text.ts'
import type { Known, OurHost } from './official-channel.ts'
import { domainOf } from './read-link.ts'
import { inLatin, isNear, skeletonOf } from './skeleton.ts'

/** Next to these words, a match of three letters already suggests our name. */
const lures =
  /air-?drop|app|bonus|bridge|claim|coin|earn|exchange|free|gift|give-?away|help|ico|invest|launch|login|mint|official|pay|presale|promo|reward|sale|secure|service|sign-?in|stak|support|swap|team|token|trade|verify|wallet|web|vip/

/** Minimum length of a name that is recognized as part of a longer word. */
const wordLengthMin = 5

/** Returns our name contained in a word that is not ours, both as skeletons. */
export function nameWithin(word: string, { names }: Known): string | undefined {
  const isLure = lures.test(word) || skeletonLures.test(word)
  const parts = word.split(/[^\p{L}\p{M}\d]+/u)
  return names.find((name) => {
    if (word === name || !word.replaceAll(/[^\p{L}\p{M}\d]/gu, '').includes(name)) return false
    return parts.includes(name) || name.length >= wordLengthMin || (isLure && isAtAnEnd(word, name))
  })
}
const skeletonLures = new RegExp(
  lures.source
    .split('|')
    .map((lure) => skeletonOf(lure))
    .join('|'),
)
const isAtAnEnd = (word: string, name: string) => word.startsWith(name) || word.endsWith(name)

/** Returns the strongest resemblance of a foreign host to one of ours. */
export function likenessOf(host: string, spelled: string, known: Known): Sign | undefined {
  const seen = skeletonOf(spelled)
  const parts = domainOf(spelled)
  const alike = known.hosts.find((ours) => ours.host !== host && ours.skeleton === seen)
  if (alike) return signOf(likeSign(spelled), spelled, alike.host)
  if (!parts) return undefined
  const skeleton = skeletonOf(parts.domain)
  const name = skeletonOf(parts.name)
  const ours = known.hosts.flatMap((each) => (each.parts ? [{ ...each, parts: each.parts }] : []))
  const sameDomain = ours.find((each) => each.parts.skeleton === skeleton)
  if (sameDomain) {
    if (sameDomain.parts.domain === parts.domain) return undefined
    return signOf(likeSign(spelled), parts.domain, sameDomain.parts.domain)
  }
  const below = isBelow(parts.below, ours, known)
  if (below !== undefined) return signOf('below_another', parts.domain, below)
  const ending = ours.find((each) => each.parts.nameSkeleton === name)
  if (ending) {
    const sign = likeSign(parts.name)
    if (isNear(ending.parts.skeleton, skeleton, 2))
      return signOf('near_miss', parts.domain, ending.parts.domain)
    const isSame = sign === 'look_alike' && inLatin(parts.name) === inLatin(ending.parts.name)
    return signOf(isSame ? 'other_ending' : sign, parts.domain, ending.parts.domain)
  }
  const near = ours.find((each) => isNearly(each.parts, { skeleton, name }))
  if (near) return signOf('near_miss', parts.domain, near.parts.domain)
  const added = nameWithin(name, known)
  return added === undefined ? undefined : signOf('added_words', parts.domain, added)
}

/** How a text resembles one of ours: with letters of another script, or with similar ones of the same. */
export const likeSign = (text: string) => (/[^\p{ASCII}]/u.test(text) ? 'homograph' : 'look_alike')

/** Allows two different letters in a long name, or in name and ending together; one in a short name. */
function isNearly(
  ours: { skeleton: string; nameSkeleton: string },
  given: { skeleton: string; name: string },
): boolean {
  const max = ours.nameSkeleton.length >= 8 ? 2 : ours.nameSkeleton.length >= 4 ? 1 : 0
  if (max > 0 && isNear(ours.nameSkeleton, given.name, max)) return true
  return ours.skeleton.length >= 10 && isNear(ours.skeleton, given.skeleton, 2)
}

/** Whether a subdomain of someone else's domain imitates one of our hosts. */
function isBelow(
  below: string,
  ours: readonly (OurHost & { parts: NonNullable<OurHost['parts']> })[],
  known: Known,
): string | undefined {
  if (below === '') return undefined
  const seen = skeletonOf(below)
  const whole = ours.find((each) => `.${seen}.`.includes(`.${each.parts.skeleton}.`))
  if (whole) return whole.parts.domain
  const labels = seen.split('.')
  const within = labels.map((label) => nameWithin(label, known))
  return known.names.find((each) => labels.includes(each)) ?? within.find((each) => each !== undefined)
}
