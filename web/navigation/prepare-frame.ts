import type { Route } from '../routes/routes.ts'

/** Loads what a program's frame needs around a page; less where the server has drawn the page already. */
export type PrepareFrame = (route: Route, isServed: boolean) => Promise<void>

let prepare: PrepareFrame = () => Promise.resolve()

export const prepareFrame: PrepareFrame = (route, isServed) => prepare(route, isServed)

/** Once, as the program begins. */
export const prepareFramesWith = (given: PrepareFrame): void => {
  prepare = given
}
