import type { Route } from '../routes/routes.ts'

/** Loads what a program's frame needs around a page. Less is needed if the server has already rendered the page. */
export type PrepareFrame = (route: Route, isServed: boolean) => Promise<void>

let prepare: PrepareFrame = () => Promise.resolve()

export const prepareFrame: PrepareFrame = (route, isServed) => prepare(route, isServed)

/** Called once at startup. */
export const prepareFramesWith = (handler: PrepareFrame): void => {
  prepare = handler
}
