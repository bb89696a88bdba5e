/** The operators' console. Pages of the site lead to these addresses without knowing the console's pages. */
export const consolePath = '/console'
export const newsroomPath = `${consolePath}/newsroom` as const
