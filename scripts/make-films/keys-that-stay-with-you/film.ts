import { story } from '../drawing/story.ts'
import { backdrop } from './backdrop.ts'
import { entriesOnTheChain } from './entries-on-the-chain.ts'
import { keptToYourself } from './kept-to-yourself.ts'
import { madeOnYourDevice } from './made-on-your-device.ts'
import { nobodyCanHelp } from './nobody-can-help.ts'
import { onPaper } from './on-paper.ts'
import { walletHoldsKeys } from './wallet-holds-keys.ts'
import { whoeverHasTheWords } from './whoever-has-the-words.ts'
import { wordsAreTheBackup } from './words-are-the-backup.ts'
import { wordsBringItBack } from './words-bring-it-back.ts'

export const film = story(
  [
    walletHoldsKeys,
    entriesOnTheChain,
    madeOnYourDevice,
    wordsAreTheBackup,
    onPaper,
    keptToYourself,
    wordsBringItBack,
    whoeverHasTheWords,
    nobodyCanHelp,
  ],
  { secondsEach: 5, posterAt: 19.5, backdrop, joined: [entriesOnTheChain] },
)
