import { text } from 'node:stream/consumers'
import { readConfig } from '#api/config.ts'
import { noteBounce, type BounceOutcome } from '#api/mail/bounces/note-bounce.ts'
import { makeKeys } from '#api/keys.ts'
import { readOrMakeMasterKey } from '#api/master-key/key-file.ts'
import { runWithDatabase } from './reach-database.ts'

/** Reports are small; of what is larger only the beginning is read. */
const lettersMax = 1_000_000

const said: Readonly<Record<BounceOutcome, string>> = {
  marked: 'The mail came back for good: its mailbox is marked.',
  noted: 'The mail came back; that is noted with it.',
  not_ours: 'Nothing is noted: the message came to no return path of a mail of this installation.',
  no_report: 'Nothing is noted: the message is no delivery report.',
  not_failed: 'Nothing is noted: the report is about no failure.',
  mail_unknown: 'Nothing is noted: the mail is older than a week, or was never sent.',
}

await runWithDatabase('read', async (db) => {
  const { encryptionKey, dataDir } = readConfig(process.env)
  const keys = makeKeys(encryptionKey ?? readOrMakeMasterKey(dataDir))
  process.stdin.setEncoding('latin1')
  const raw = (await text(process.stdin)).slice(0, lettersMax)
  console.log(said[await noteBounce({ db, keys }, raw, process.argv[2])])
})
