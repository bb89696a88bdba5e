import type { AmbassadorStanding } from '#contract/console-ambassador-profiles.ts'
import type { PlainKey } from '../../i18n/message-key.ts'
import type { TagColour } from '../../ui/tag.tsx'

export const standingWords: Record<AmbassadorStanding, { colour: TagColour; words: PlainKey }> = {
  invited: { colour: 'quiet', words: 'consoleAmbassadorProfiles.standing.invited' },
  unwritten: { colour: 'quiet', words: 'consoleAmbassadorProfiles.standing.unwritten' },
  public: { colour: 'green', words: 'consoleAmbassadorProfiles.standing.public' },
  hidden: { colour: 'yellow', words: 'consoleAmbassadorProfiles.standing.hidden' },
  ended: { colour: 'red', words: 'consoleAmbassadorProfiles.standing.ended' },
}
