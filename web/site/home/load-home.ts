import type { LoadContext } from '../../kernel/routes/page.ts'
import { homeFactFiles } from './home-facts.ts'
import { homeFacts, type HomeFacts } from './home-facts.ts'

export const loadHome = async ({ facts, language }: LoadContext): Promise<HomeFacts> =>
  homeFacts(await facts(...homeFactFiles), language)
