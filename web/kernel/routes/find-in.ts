import type { FindPage, PageModules } from './page.ts'

export const findIn =
  (modules: PageModules): FindPage =>
  async ({ file }) => {
    const load = modules[`../../${file}`]
    if (!load) throw new Error(`web/${file} is missing`)
    return (await load()).default
  }
