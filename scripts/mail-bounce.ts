import { text } from 'node:stream/consumers'
import { readConfig } from '#api/platform/config/config.ts'
import { recordBounce, type BounceOutcome } from '#api/platform/mail/bounces/record-bounce.ts'
import { makeKeys } from '#api/platform/keys.ts'
import { readOrMakeMasterKey } from '#api/platform/master-key/key-file.ts'
import { runWithDatabase } from './reach-database.ts'

/** Reports are small, so only the beginning of larger input is read. */
const lettersMax = 1_000_000

const said: Readonly<Record<BounceOutcome, string>> = {
  marked: 'The email bounced permanently. Its address is now suppressed.',
  noted: 'The email bounced temporarily. The bounce was recorded.',
  not_ours: 'Nothing recorded: the message isn’t for a return path of this installation.',
  no_report: 'Nothing recorded: the message isn’t a delivery report.',
  not_failed: 'Nothing recorded: the report isn’t about a failed delivery.',
  mail_unknown: 'Nothing recorded: the email is more than a week old or was never sent.',
}

await runWithDatabase('read', async (db) => {
  const { encryptionKey, dataDir } = readConfig(process.env)
  const keys = makeKeys(encryptionKey ?? readOrMakeMasterKey(dataDir))
  process.stdin.setEncoding('latin1')
  const raw = (await text(process.stdin)).slice(0, lettersMax)
  console.log(said[await recordBounce({ db, keys }, raw, process.argv[2])])
})
