import { type ConsoleArea, consoleAreas } from '../kernel/routes/console-areas.ts'
import { consoleRoutes } from '../kernel/routes/console-routes.ts'
import type { RouteName } from '../kernel/routes/routes.ts'

type ScreenGroup = { area: ConsoleArea; entries: readonly RouteName[] }

const listed = consoleRoutes.filter((route) => 'menu' in route)

/** Every page in the side navigation, by area. Pages of single items are reached from their lists. */
export const screenGroups: readonly ScreenGroup[] = (Object.keys(consoleAreas) as ConsoleArea[]).map(
  (area) => {
    const pages = listed.filter(({ menu }) => menu === area)
    // Pages that are also reached from another page come last.
    const entries = [
      ...pages.filter((page) => !('within' in page)),
      ...pages.filter((page) => 'within' in page),
    ]
    return { area, entries: entries.map(({ name }) => name) }
  },
)
