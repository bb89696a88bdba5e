import { story } from '../drawing/story.ts'
import { askInPerson } from './ask-in-person.ts'
import { backdrop } from './backdrop.ts'
import { doesThatSoundLikeYou } from './does-that-sound-like-you.ts'
import { firstPayment } from './first-payment.ts'
import { inTheLibrary } from './in-the-library.ts'
import { noPromises } from './no-promises.ts'
import { somebodyToAsk } from './somebody-to-ask.ts'
import { translateAndReport } from './translate-and-report.ts'
import { yourWordsAreYours } from './your-words-are-yours.ts'

export const film = story(
  [
    askInPerson,
    somebodyToAsk,
    inTheLibrary,
    firstPayment,
    translateAndReport,
    noPromises,
    yourWordsAreYours,
    doesThatSoundLikeYou,
  ],
  { secondsEach: 5, posterAt: 9.4, backdrop, joined: [] },
)
