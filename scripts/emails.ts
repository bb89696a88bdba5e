import { commandLine } from '#api/platform/command-line.ts'
import { transaction } from '#api/platform/db/database.ts'
import { findMailPause } from '#api/platform/mail/pause/mail-pause.queries.ts'
import { setMailPause } from '#api/platform/mail/pause/pause-mails.ts'
import { StartRefused } from '#api/platform/start-refused.ts'
import { runWithDatabase } from './reach-database.ts'

const usage = `Usage: ${commandLine('emails', 'pause | resume | status')}.`

// Running instances read the change from the same database.
await runWithDatabase('read', async (db) => {
  const [what, ...rest] = process.argv.slice(2)
  if (rest.length > 0 || !['pause', 'resume', 'status'].includes(what ?? '')) throw new StartRefused(usage)
  if (what !== 'status')
    await transaction(db, (db) => setMailPause(db, { isPaused: what === 'pause', actorId: null }))
  const pausedAt = await findMailPause(db)
  console.log(
    pausedAt
      ? `The delivery of emails has been paused since ${pausedAt.toISOString()}. Emails wait until you resume it.`
      : 'Emails are delivered.',
  )
})
