import { DAY } from '#contract/platform/durations.ts'
import type { ChannelStatus } from '#contract/publishing/console-official.ts'
import type { ChannelKind } from '#contract/publishing/official.ts'
import type { Tx } from '#api/platform/db/database.ts'
import type { SampleWorld } from './world.ts'
import { readGiven } from '#api/publishing/official/key-of.ts'
import { insertKnown, withdrawKnown } from '#api/publishing/official/known-entry.queries.ts'

type Sample = {
  standing?: ChannelStatus
  kind: ChannelKind
  value: string
  note: string
  daysAgo: number
  isWithdrawn?: true
}

/** One entry of each kind. None of the values can belong to anyone. */
const samples: readonly Sample[] = [
  { kind: 'domain', value: 'airdrop-claim.example', note: 'Asks for the 24 words of a wallet.', daysAgo: 31 },
  {
    kind: 'handle',
    // Longer than a name in this network can be.
    value: 'https://x.com/sample_false_support',
    note: 'Writes to members first.',
    daysAgo: 12,
  },
  {
    kind: 'email',
    value: 'support@wallet-check.example',
    note: 'Sends links to a false sign-in.',
    daysAgo: 9,
  },
  { kind: 'phone', value: '+1 555 0199 123', note: 'Asks for codes on the phone.', daysAgo: 5 },
  { kind: 'link', value: 'https://pages.example/giveaway', note: 'Promises double back.', daysAgo: 3 },
  {
    kind: 'coin',
    value: '0x000000000000000000000000000000000000bEEF',
    note: 'Named in false messages.',
    daysAgo: 2,
  },
  {
    kind: 'domain',
    value: 'old-mirror.example',
    note: 'Was taken down.',
    daysAgo: 40,
    isWithdrawn: true,
  },
  { standing: 'official', kind: 'domain', value: 'status-page.example', note: 'Status page', daysAgo: 20 },
]

export async function insertSampleKnown(db: Tx, { now, operators }: SampleWorld): Promise<void> {
  for (const { standing = 'false', kind, value, note, daysAgo, isWithdrawn } of samples) {
    const by = standing === 'false' ? operators.news2 : operators.coins2
    const addedAt = new Date(now - daysAgo * DAY)
    const columns = { kind, note, evidence: '', ...readGiven({ kind, value }) }
    const id = await insertKnown(db, { ...columns, standing, by, addedAt })
    if (isWithdrawn) await withdrawKnown(db, id, by)
  }
}
