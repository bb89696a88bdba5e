import { story } from '../drawing/story.ts'
import { signedMessage } from './a-signed-message.ts'
import { aboutAMinute } from './about-a-minute.ts'
import { anyoneCanCheck } from './anyone-can-check.ts'
import { backdrop } from './backdrop.ts'
import { checkpoint } from './checkpoint.ts'
import { joinsTheChain } from './joins-the-chain.ts'
import { nodesCheck } from './nodes-check.ts'
import { theSearch } from './the-search.ts'
import { waitingTogether } from './waiting-together.ts'
import { workAndCheck } from './work-and-check.ts'

export const film = story(
  [
    signedMessage,
    nodesCheck,
    waitingTogether,
    theSearch,
    workAndCheck,
    aboutAMinute,
    joinsTheChain,
    checkpoint,
    anyoneCanCheck,
  ],
  { secondsEach: 5, posterAt: 34.4, backdrop, joined: [nodesCheck, theSearch] },
)
