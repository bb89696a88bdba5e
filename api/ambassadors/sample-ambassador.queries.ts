import { ambassadorStates } from '#contract/ambassadors.ts'
import { DAY } from '#contract/durations.ts'
import type { Tx } from '../db/database.ts'
import { someTime, type SampleWorld } from '../sample-world.ts'

/** From where they write. */
const places = [
  ['Example Harbour', 'Portugal'],
  ['样本市', '中国'],
  ['Sample Falls', 'Canada'],
  ['Example Bay', 'Singapore'],
  ['示例城', '中国'],
  ['Sampleton', 'United Kingdom'],
  ['Example-sur-Mer', 'France'],
  ['Musterstadt', 'Germany'],
  ['Example Springs', 'Kenya'],
  ['样本湾', '马来西亚'],
  ['Ejemplo', 'Chile'],
  ['Sample City', 'Japan'],
] as const

/** Twelve applications, the older ones answered. */
export async function insertSampleAmbassadors(db: Tx, world: SampleWorld): Promise<void> {
  await db
    .insertInto('ambassador_application')
    .values(
      places.map(([city, country], index) => {
        const at = someTime(world, 3 + index * 5)
        const isChinese = /\p{Script=Han}/u.test(country)
        // The newest wait, the next ones are looked at, the rest were answered.
        const status = ambassadorStates[index < 3 ? 0 : index < 6 ? 1 : index % 3 === 0 ? 3 : 2]
        return {
          email: `ambassador${index + 1}@people.example`,
          full_name: isChinese ? `样本大使 ${index + 1}` : `Sample Ambassador ${index + 1}`,
          city,
          country,
          social_media: JSON.stringify([`https://social.example/ambassador-${index + 1}`]),
          description: isChinese
            ? '示例：每月在本地组织一次节点搭建活动，并把公告翻译成中文。'
            : 'Sample: runs a monthly meeting about running a node, and translates announcements.',
          status,
          created_at: new Date(at),
          updated_at: new Date(status === 'received' ? at : at + 2 * DAY),
        }
      }),
    )
    .execute()
}
