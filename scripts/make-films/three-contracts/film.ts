import { story } from '../drawing/story.ts'
import { aCampaign } from './a-campaign.ts'
import { aDao } from './a-dao.ts'
import { aToken } from './a-token.ts'
import { anyProgram } from './any-program.ts'
import { backdrop } from './backdrop.ts'
import { fewerThings } from './fewer-things.ts'
import { goalMissed } from './goal-missed.ts'
import { goalReached } from './goal-reached.ts'
import { lookedUp } from './looked-up.ts'
import { threeKinds } from './three-kinds.ts'

export const film = story(
  [anyProgram, threeKinds, aToken, aCampaign, goalReached, goalMissed, aDao, fewerThings, lookedUp],
  { secondsEach: 5, posterAt: 9.5, backdrop, joined: [goalReached] },
)
