import type { FrontDoor } from '../installation/front-door.ts'
import type { Question } from './questions.ts'

export async function askQuestion(door: FrontDoor, question: Question): Promise<void> {
  if ('step' in question) return void (await question.step(door.services))
  const { endpoint, params = {}, query = {}, body, chair } = question
  const answer = await door.ask(endpoint, { params, query, body } as never, chair)
  if (answer.statusCode !== 200)
    throw new Error(`${question.name} was answered ${answer.statusCode}: ${answer.body}`)
}
