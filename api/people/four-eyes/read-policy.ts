import { sensitiveKinds, type SensitiveKind } from '#contract/publishing/console-content.ts'
import { automaticOrderThreshold, type FourEyesArea } from '#contract/people/four-eyes.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/database.ts'
import { countApprovers, type ApproverRight, type ApproverRule } from '../members/approver.queries.ts'

/** The right needed to approve in each area. */
export const approverRightOf: Readonly<Record<FourEyesArea, ApproverRight>> = {
  orders: 'finance',
  sale: 'coins',
  content: 'news',
  identity: 'finance',
}

/** Quantity in tokens from which an order needs four-eyes approval; null: one person is always enough. */
export type OrderPolicy = { twoPersonsFrom: string | null }

type OrderSetting = Pick<Config, 'twoPersonsFrom'>

/**
 * Without a setting, four-eyes approval is on as soon as two people can approve. The owner of an order counts too,
 * although they can't approve it: otherwise, their only colleague could decide alone about the owner's order.
 */
export const orderPolicyWith = (
  { twoPersonsFrom }: OrderSetting,
  officers: readonly unknown[],
): OrderPolicy => {
  if (twoPersonsFrom !== undefined) return { twoPersonsFrom }
  return { twoPersonsFrom: officers.length >= 2 ? automaticOrderThreshold : null }
}

export async function readOrderPolicy(db: Tx, config: OrderSetting & ApproverRule): Promise<OrderPolicy> {
  const { twoPersonsFrom } = config
  if (twoPersonsFrom !== undefined) return { twoPersonsFrom }
  return { twoPersonsFrom: (await hasTwo(db, config, 'finance')) ? automaticOrderThreshold : null }
}

export const readSaleNeedsFourEyes = async (
  db: Tx,
  config: Pick<Config, 'isSaleFourEyesRequired'> & ApproverRule,
): Promise<boolean> => config.isSaleFourEyesRequired ?? hasTwo(db, config, 'coins')

export type ContentPolicy = { contentFourEyes: ReadonlySet<SensitiveKind> }

/** Returns the kinds of content that need four-eyes approval. */
export async function readContentPolicy(
  db: Tx,
  config: Pick<Config, 'contentFourEyes'> & ApproverRule,
): Promise<ContentPolicy> {
  if (config.contentFourEyes !== undefined) return { contentFourEyes: config.contentFourEyes }
  return { contentFourEyes: new Set((await hasTwo(db, config, 'news')) ? sensitiveKinds : []) }
}

type KycPolicy = { isFourEyesRequired: boolean }

/** Whether a final rejection needs two officers. Officers can't decide their own case. */
export const readKycPolicy = async (
  db: Tx,
  config: Pick<Config, 'isFourEyesRequired'> & ApproverRule,
  applicantId: string | null,
): Promise<KycPolicy> => ({
  isFourEyesRequired: config.isFourEyesRequired ?? (await hasTwo(db, config, 'finance', applicantId)),
})

const hasTwo = async (
  db: Tx,
  rule: ApproverRule,
  right: ApproverRight,
  except: string | null = null,
): Promise<boolean> => (await countApprovers(db, rule, right, except)) >= 2
