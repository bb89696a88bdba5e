import type { PlainKey } from '../kernel/i18n/message-key.ts'
import { consoleRoutes } from '../kernel/routes/console-routes.ts'
import type { RouteName } from '../kernel/routes/routes.ts'

type ScreenGroup = { heading: PlainKey | null; entries: readonly RouteName[] }

const listed = consoleRoutes.filter((route) => 'menu' in route)

/** Every page in the side navigation, by heading. Pages of single items are reached from their lists. */
export const screenGroups: readonly ScreenGroup[] = [...new Set(listed.map(({ menu }) => menu))].map(
  (heading) => ({
    heading,
    entries: listed.filter(({ menu }) => menu === heading).map(({ name }) => name),
  }),
)
