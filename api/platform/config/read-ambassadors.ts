import { invitationCauses, type InvitationCause } from '#contract/people/ambassador-results.ts'
import { DAY } from '#contract/platform/durations.ts'
import type { SettingReader } from './setting-reader.ts'

/** Points that an ambassador earns for the results of an invitation. */
export type AmbassadorPoints = Record<InvitationCause, number>

/** Reads the terms of the ambassador program. */
export const readAmbassadors = ({ given, refuse, wholeNumber }: SettingReader) => ({
  ambassadorRetention: wholeNumber('AMBASSADOR_DECLINED_DAYS', 180, 1, 3650) * DAY,
  ambassadorPatience: wholeNumber('AMBASSADOR_UNANSWERED_DAYS', 365, 30, 3650) * DAY,
  ambassadorPoints: readPoints(given('AMBASSADOR_POINTS'), (demand) => refuse('AMBASSADOR_POINTS', demand)),
})

/** For example `activation:1,identity:10`; causes that are not listed earn nothing. */
function readPoints(
  text = 'signup:0,activation:1,identity:10',
  refuse: (demand: string) => never,
): AmbassadorPoints {
  const points: AmbassadorPoints = { signup: 0, activation: 0, identity: 0 }
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
