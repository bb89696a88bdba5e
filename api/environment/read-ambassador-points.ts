import { invitationCauses, type InvitationCause } from '#contract/ambassador-results.ts'

/** For example `activation:1,identity:10`; causes that are not listed earn nothing. */
export function readAmbassadorPoints(
  text = 'signup:0,activation:1,identity:10',
  refuse: (demand: string) => never,
): Record<InvitationCause, number> {
  const points: Record<InvitationCause, number> = { signup: 0, activation: 0, identity: 0 }
  const named = new Set<string>()
  for (const rule of text.split(',').map((each) => each.trim())) {
    const [, cause, number] = /^(\w+)\s*:\s*(\d{1,4})$/.exec(rule) ?? []
    const known = invitationCauses.find((each) => each === cause)
    if (!known || named.has(known))
      refuse(
        'must list signup, activation, and identity at most once each, with whole points up to 9999, such as signup:0,activation:1,identity:10',
      )
    named.add(known)
    points[known] = Number(number)
  }
  return points
}
