import { readPublicSale } from '#contract/money/public-sale.ts'
import type { LoadContext } from '../../kernel/routes/page.ts'
import { homeFactFiles } from './home-facts.ts'
import { homeFacts, type HomeData } from './home-facts.ts'

export async function loadHome({ call, facts, language }: LoadContext): Promise<HomeData> {
  const [files, { sale, isOnHome }] = await Promise.all([facts(...homeFactFiles), call(readPublicSale, {})])
  const isShown = isOnHome && sale && sale.state !== 'none' && sale.state !== 'ended'
  return { ...homeFacts(files, language), sale: isShown ? sale : null }
}
